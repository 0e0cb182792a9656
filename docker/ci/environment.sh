# shellcheck shell=bash
# To be sourced by docker/ci.sh: build a learner's environment, start it, work in it from outside, and grade a class in it.
# Uses $here, $T, $python, $pictures, compose, step, fail, quietly and wait_until of ci.sh; grading.sh and sandboxes.sh.

inside() { compose exec -T lab "$@"; }

learners_environment() {
  step "build"
  quietly build compose --progress=plain build lab
  docker image inspect --format '{{.Size}}' "$STREAMLAB_IMAGE" | awk '{printf "image: %d MB\n", $1 / 1e6}'
  begin_sandbox_tests
  step "up"
  bring_up
  step "doctor, inside and outside"
  "$here/lab-docker" doctor >"$T/doctor" 2>&1 &
  local outside=$!
  inside ./lab doctor
  wait "$outside" || { cat "$T/doctor"; fail "docker/lab-docker doctor did not work"; }
  step "a browser: Lab 1, a task of Lab 3, lab check of Lab 3, the report, Spark's page"
  browse
  step "Kafka and Lab 3's log, read by Spark on both workers"
  inside python - <"$here/ci/inside/lab03_log.py"
  step "Lab 3's three brokers, one killed: nothing is lost with acks=all"
  inside ./lab experiment acks --to /tmp/acks.json
  inside python -c 'import json; assert json.load(open("/tmp/acks.json"))["runs"][2]["lost"] == 0'
  step "Lab 4's queries and HiBench's workloads on both workers"
  inside python - <"$here/ci/inside/lab04_subqueries.py"
  step "Lab 5 on both workers, each pinned to a core: rates, and near or now"
  inside python - <"$here/ci/inside/lab05_placement.py"
  inside ./lab experiment near-or-now --master spark://spark-master:7077 --to /tmp/near_or_now.json
  step "Lab 6 on both workers: partitions, state, windows and models; Redis, PostgreSQL and Cassandra answer"
  quietly cassandra compose --profile cassandra up -d --no-build --wait --wait-timeout 120 cassandra
  inside python - <"$here/ci/inside/lab06_enrichment.py"
  quietly cassandra compose --profile cassandra rm -fsv cassandra
  step "Lab 7: executors come and go on the cluster; HarmonicIO on two workers, and with engines in containers"
  irm
  step "Lab 8 on both workers: events of two topics, and contacts of a herd"
  inside python - <"$here/ci/inside/lab08_geofencing.py"
  step "Lab 9: alerts over Kafka on both workers, one executor killed; each alert once"
  inside python - <"$here/ci/inside/lab09_system.py"
  step "a Spark worker is killed in the middle of a job"
  kill_a_worker
  step "lab system: its page through the published port, and a worker's container killed by a button"
  system_page
  step "down and up again: work stays, and was started with an older release"
  down_and_up_again
  step "problems are reported in one line"
  fails_with "port $STREAMLAB_PORT is taken" env COMPOSE_PROJECT_NAME=other "$here/lab-docker" up
  fails_with "docker's engine does not run" env DOCKER_HOST=unix:///nowhere "$here/lab-docker" up
  step "a class is graded on the two workers, one of which is killed"
  grading_rejected_without_isolation
  grading
  [ -n "${KEEP:-}" ] || quietly stop grading_compose stop --timeout 2
}

bring_up() {
  local from_s=$SECONDS
  quietly up compose up -d --no-build --wait --wait-timeout 180
  page=$(compose logs --no-color lab | grep -oE 'http://127\.0\.0\.1:[0-9]+/lab\?token=\S+' | tail -n 1)
  echo "all healthy in $((SECONDS - from_s)) s: ${page%token=*}token=…"
  memory "nothing open"
}

memory() {
  local containers
  mapfile -t containers < <(compose ps -q)
  docker stats --no-stream --format '{{.MemUsage}}' "${containers[@]}" |
    awk -v when="$1" '{sum += $1 * ($1 ~ /GiB/ ? 1024 : 1)} END {printf "memory, %s: %d MiB\n", when, sum}'
}

# Run Lab 1's whole notebook and the task of Lab 3 that starts a broker from which the workers read; judge all of Lab 3,
# which builds on Lab 2.
browse() {
  [ "$(curl -s -o /dev/null -w '%{http_code}' "http://127.0.0.1:$STREAMLAB_PORT/api/contents")" = 403 ] ||
    fail "JupyterLab answers without a token"
  inside python - lab01_wordcount lab02_windows lab03_log <"$here/ci/inside/solved.py"
  env -u LD_LIBRARY_PATH "$python" "$here/ci/browser.py" "$page" "http://127.0.0.1:$STREAMLAB_SPARK_PORT" \
    "${pictures:-$T/pictures}" lab01_wordcount lab03_log/kafka_counts
  memory "after work"
}

# The engines in containers start from outside, since nothing inside reaches docker's engine.
irm() {
  local workers=(harmonic-worker-1 harmonic-worker-2)
  quietly harmonicio compose --profile harmonicio up -d --no-build --wait --wait-timeout 120 "${workers[@]}"
  inside python - <"$here/ci/inside/lab07_irm.py"
  inside python - lab07_irm <"$here/ci/inside/solved.py"
  inside lab check lab07_irm/cell_counts | grep 'cell_counts: 3 of 3 pass' # on separate executors
  quietly harmonicio compose --profile harmonicio rm -fsv "${workers[@]}"
  PYTHONPATH=$PWD "$python" "$here/ci/lab07_irm_in_containers.py" "$STREAMLAB_IMAGE"
}

# shellcheck disable=SC2317  # these two are called by wait_until
half_done() { awk '/^progress/ && $2 >= 6 {found = 1} END {exit !found}' "$T/killed"; }
two_workers() { curl -sf "http://127.0.0.1:$STREAMLAB_SPARK_PORT/json/" | grep -q '"aliveworkers" : 2'; }

kill_a_worker() {
  local job killed_s
  inside python - <"$here/ci/inside/killed.py" >"$T/killed" 2>&1 &
  job=$!
  wait_until "six tasks are done" 120 half_done
  compose exec -T spark-worker-2 python -c 'import os, signal; os.kill(-1, signal.SIGKILL)' || true # it kills itself, too
  wait "$job" || { cat "$T/killed"; fail "the job did not survive the kill"; }
  grep '^killed: ' "$T/killed"
  [ "$(docker inspect --format '{{.RestartCount}}' "$(compose ps -q spark-worker-2)")" -ge 1 ] || fail "the worker was not killed"
  killed_s=$SECONDS
  wait_until "the worker is back" 60 two_workers
  echo "the worker was back $((SECONDS - killed_s)) s after the job's end"
}

# shellcheck disable=SC2317  # these two are called by wait_until
system_printed() { system_url=$(grep -m 1 -o "http://127.0.0.1:$STREAMLAB_SYSTEM_PORT/.*" "$T/system"); }
newest() { curl -sf "${system_url}start.json" | "$python" -c "import json, sys; m = json.load(sys.stdin)['history'][-1]; sys.exit(not ($1))"; }

restarts() {
  local workers
  mapfile -t workers < <(compose ps -q spark-worker-1 spark-worker-2)
  docker inspect --format '{{.RestartCount}}' "${workers[@]}" | awk '{sum += $1} END {print sum}'
}

# The page's server checks Host and Origin: what curl asks for is what a browser on the host asks for.
system_page() {
  local up before own="http://127.0.0.1:$STREAMLAB_SYSTEM_PORT" system_url
  inside lab system up >"$T/system" 2>&1 &
  up=$!
  wait_until "lab system prints its page" 120 system_printed
  [ "$(curl -s -o /dev/null -w '%{http_code}' "$own/no-token/")" = 403 ] || fail "the page answers without its token"
  wait_until "alerts" 180 newest 'm["alerts"] and m["workers"] and not m["down"]' # Spark keeps all state on the worker that was first
  before=$(restarts)
  curl -sf -X POST -H "Origin: $own" "${system_url}fault/python-worker" | grep -q 'begins now' || fail "the button did not work"
  wait_until "the incident is named, and the lag is back" 180 newest 'any(i["kind"] == "worker" and i["back_s"] for i in m["incidents"])'
  [ "$(restarts)" -gt "$before" ] || fail "no container of a worker was killed"
  wait_until "the worker is back" 60 two_workers
  inside lab system status
  inside lab system down
  wait "$up" || { cat "$T/system"; fail "lab system did not end well"; }
}

down_and_up_again() {
  inside sh -c 'echo kept >work/kept.txt; echo 2020.1 >work/.release'
  quietly down "$here/lab-docker" down
  quietly up_again "$here/lab-docker" up
  grep -q "StreamLab is at http://127.0.0.1:$STREAMLAB_PORT/lab?token=$STREAMLAB_TOKEN" "$T/up_again.log" || fail "no page was printed"
  grep 'your work was started with release 2020.1' "$T/up_again.log" || fail "the older release was not reported"
  [ "$(inside cat work/kept.txt)" = kept ] || fail "work did not survive down and up"
  echo "work/kept.txt is still there"
}

# SENTENCE COMMAND…: expect the command to fail with code 2 and one line that begins with the sentence.
fails_with() {
  local expected=$1 error code=0
  shift
  error=$("$@" 2>&1 >/dev/null) || code=$?
  [[ $code -eq 2 && $error == "lab: $expected"* && $error != *$'\n'* ]] || fail "expected \"lab: $expected\" and code 2, got $code: $error"
  echo "$error"
}
