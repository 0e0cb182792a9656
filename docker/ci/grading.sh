# shellcheck shell=bash
# To be sourced by docker/ci.sh: grade a class on the two workers, one of which is killed meanwhile.
# Uses $here, $T, $host_network, fail, quietly and wait_until of ci.sh; inside/grading_class.py makes the class.

grading_compose() {
  docker compose -f "$here/compose.yml" -f "$here/compose.grading.yml" ${host_network:+-f "$here/compose.ci.yml"} "$@"
}

in_grading() { grading_compose exec -T "$@"; }

# COMMAND…: grade the class with `COMMAND… ./lab grade`.
grade_class() {
  "$@" ./lab grade lab01_wordcount --no-throughput --master spark://spark-master:7077 ${open_cluster:+--open-cluster} >"$T/graded" 2>&1
}

# Without docker/compose.grading.yml, workers cannot isolate submissions, and grading says so before it judges any.
grading_rejected_without_isolation() {
  local in_lab=(compose exec -T -e STREAMLAB_CLASS=/scratch/class lab)
  "${in_lab[@]}" python - make <"$here/ci/inside/grading_class.py"
  if open_cluster=yes grade_class "${in_lab[@]}"; then
    cat "$T/graded"
    fail "a class was graded on workers without a sandbox"
  fi
  grep -E '^lab: worker spark-worker-[12] cannot judge: ' "$T/graded" || { cat "$T/graded"; fail "the missing sandbox was not reported"; }
}

grading() {
  local grader student
  quietly up_for_grading grading_compose up -d --no-build --wait --wait-timeout 180
  in_grading lab python - make <"$here/ci/inside/grading_class.py"
  in_grading lab ./lab doctor | grep '^ok *sandbox'
  grade_class in_grading lab &
  grader=$!
  wait_until "the first of four is judged" 300 grep -q '^judging: 1 of 4' "$T/graded"
  in_grading spark-worker-2 python -c 'import os, signal; os.kill(-1, signal.SIGKILL)' || true # it kills itself, too
  wait "$grader" || { cat "$T/graded"; fail "the class was not graded"; }
  for student in ada ben cleo dora; do
    [ "$(grep -c "^judging: .* $student: " "$T/graded")" = 1 ] || { cat "$T/graded"; fail "$student was not judged once"; }
  done
  [ "$(docker inspect --format '{{.RestartCount}}' "$(grading_compose ps -q spark-worker-2)")" -ge 1 ] || fail "the worker was not killed"
  in_grading lab python - look <"$here/ci/inside/grading_class.py"
}
