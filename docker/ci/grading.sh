# shellcheck shell=bash
# To be sourced by docker/ci.sh: a class is graded on the two workers, one of which is killed meanwhile.
# Uses what ci.sh has: $here, $T, $host_network, fail, quietly, wait_until. Keeps out: what the class is (inside/grading_class.py).

grading_compose() {
  docker compose -f "$here/compose.yml" -f "$here/compose.grading.yml" ${host_network:+-f "$here/compose.ci.yml"} "$@"
}

in_grading() { grading_compose exec -T "$@"; }

grades() {
  in_grading lab ./lab grade lab01_wordcount --no-race --master spark://spark-master:7077 >"$T/graded" 2>&1
}

# Without docker/compose.grading.yml there are no walls on the workers, and grading says so before it judges anybody.
grading_refuses_without_walls() {
  in_grading lab python - make <"$here/ci/inside/grading_class.py"
  quietly up_without compose up -d --no-build --wait --wait-timeout 180 spark-worker-1 spark-worker-2
  if grades; then
    cat "$T/graded"
    fail "a class was graded on workers that have no sandbox"
  fi
  grep -E '^lab: worker spark-worker-[12] cannot judge: ' "$T/graded" || { cat "$T/graded"; fail "nothing was said of the sandbox"; }
  quietly up_again_with grading_compose up -d --no-build --wait --wait-timeout 180
}

grading() {
  local grader student
  quietly up_for_grading grading_compose up -d --no-build --wait --wait-timeout 180
  grading_refuses_without_walls
  in_grading lab ./lab doctor | grep '^ok *sandbox'
  grades &
  grader=$!
  wait_until "the first of four is judged" 300 grep -q '^judging: 1 of 4' "$T/graded"
  in_grading spark-worker-2 python -c 'import os, signal; os.kill(-1, signal.SIGKILL)' || true # killed with all others
  wait "$grader" || { cat "$T/graded"; fail "the class was not graded"; }
  for student in ada ben cleo dora; do
    [ "$(grep -c "^judging: .* $student: " "$T/graded")" = 1 ] || { cat "$T/graded"; fail "$student was not judged once"; }
  done
  [ "$(docker inspect --format '{{.RestartCount}}' "$(grading_compose ps -q spark-worker-2)")" -ge 1 ] || fail "the worker was not killed"
  in_grading lab python - look <"$here/ci/inside/grading_class.py"
}
