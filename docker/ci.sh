#!/usr/bin/env bash
# Builds the docker environment from nothing, brings it up, works in it from outside, and leaves nothing behind.
#
#   docker/ci.sh          on Debian 12 as root; installs nothing: a missing engine is unpacked into a temporary folder
#
# Where an engine answers already, that one is used, and its registry for the image to build on (or BASE_IMAGE names one).
# With an engine of its own it makes that image of Debian's packages: no registry is needed. Where no engine can be had it
# says so in one line and ends with code 3. PICTURES names a folder for pictures of the browser's session; PYTHON the
# Python with the developers' packages. KEEP=1 leaves the environment up and says how to reach it.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
# shellcheck source=docker/ci/engine.sh
source "$here/ci/engine.sh"
# shellcheck source=docker/ci/base_image.sh
source "$here/ci/base_image.sh"
# shellcheck source=docker/ci/grading.sh
source "$here/ci/grading.sh"

if ! engine_answers && why=$(why_no_engine) && [ -n "$why" ]; then
  echo "docker can not be had here: $why" >&2
  exit 3
fi
pictures=${PICTURES:+$(realpath -m "$PICTURES")}
cd "$here/.."
python=${PYTHON:-.venv/bin/python}
lacks=$("$python" -c 'from tests.browser.jupyterlab import missing; print(missing() or "")' 2>/dev/null) ||
  lacks="$python does not run; .ci/run makes it, with the developers' packages"
[ -z "$lacks" ] || { echo "ci: $lacks" >&2; exit 2; }

T=$(mktemp -d /tmp/streamlab-ci.XXXXXX)
name=$(basename "$T" | tr '[:upper:].' '[:lower:]-')
export COMPOSE_PROJECT_NAME=$name STREAMLAB_IMAGE=$name STREAMLAB_SANDBOX_IMAGE=$name-sandbox STREAMLAB_TOKEN=token-of-ci DOCKER_BUILDKIT=1
before=$(cd /sys/fs/cgroup && find . -maxdepth 2 -type d -name docker 2>/dev/null | sort)

step() { printf '\n== %s (%d s, load %s)\n' "$1" "$SECONDS" "$(cut -d' ' -f1 /proc/loadavg)"; }
fail() { printf 'ci: %s\n' "$*" >&2; exit 1; }

# Run something whose output matters only if it fails.
quietly() {
  local log="$T/$1.log"
  shift
  "$@" >"$log" 2>&1 || { tail -n 40 "$log"; fail "$* failed; the end of what it said is above"; }
}

compose() { docker compose -f "$here/compose.yml" ${host_network:+-f "$here/compose.ci.yml"} "$@"; }
inside() { compose exec -T lab "$@"; }

memory() {
  local containers
  mapfile -t containers < <(compose ps -q)
  docker stats --no-stream --format '{{.MemUsage}}' "${containers[@]}" |
    awk -v when="$1" '{sum += $1 * ($1 ~ /GiB/ ? 1024 : 1)} END {printf "memory, %s: %d MiB\n", when, sum}'
}

wait_until() {
  local what=$1 limit_s=$2 began_s=$SECONDS
  shift 2
  until "$@" >/dev/null 2>&1; do
    [ $((SECONDS - began_s)) -lt "$limit_s" ] || fail "not within $limit_s s: $what"
    sleep 0.3
  done
}

# shellcheck disable=SC2317  # called by the trap
clean() {
  local code=$?
  trap '' INT TERM
  set +e
  step "clean up"
  [ "$code" -eq 0 ] || compose logs --no-color --tail 15 2>/dev/null
  grading_compose down --volumes --remove-orphans --timeout 2 >/dev/null 2>&1
  docker image rm -f "$STREAMLAB_IMAGE" "$STREAMLAB_SANDBOX_IMAGE" ${own_base:+"$own_base"} >/dev/null 2>&1
  if [ -n "${own_engine:-}" ]; then engine_end; fi
  while read -r group; do
    grep -qxF "$group" <<<"$before" || find "/sys/fs/cgroup/$group" -depth -type d -exec rmdir {} + 2>/dev/null
  done < <(cd /sys/fs/cgroup && find . -maxdepth 2 -type d -name docker 2>/dev/null)
  rm -rf "$T"
  left=$( { ip -o link 2>/dev/null | grep -oE 'docker0|br-[0-9a-f]{12}|veth[0-9a-f]+'; grep -o "${T}[^ ]*" /proc/mounts; } | head -5)
  if [ -n "${own_engine:-}" ] && [ -n "$left" ]; then printf 'ci: left behind: %s\n' "$left" >&2; code=1; fi
  [ "$code" -ne 0 ] || printf 'done, nothing left behind, %d s in all\n' "$SECONDS"
  exit "$code"
}
trap clean EXIT
trap 'exit 130' INT TERM

free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
export STREAMLAB_PORT STREAMLAB_SPARK_PORT STREAMLAB_KAFKA_PORT
STREAMLAB_PORT=$(free_port) STREAMLAB_SPARK_PORT=$(free_port) STREAMLAB_KAFKA_PORT=$(free_port)

step "engine"
if ! engine_answers; then
  own_engine=yes
  export DOCKER_CONFIG=$T/config
  quietly packages engine_packages
  engine_environment
  engine_start
fi
docker network inspect bridge >/dev/null 2>&1 || host_network=yes # without a bridge, builds have no network of their own
docker version --format 'engine {{.Server.Version}}' && docker compose version
if [ -x "$T/engine/usr/bin/shellcheck" ]; then
  shellcheck --exclude=SC2016 -x "$here/ci.sh" "$here/lab-docker" "$here/open-lab" "$here/../lab"
fi
if [ -x "$T/engine/usr/bin/docker-compose" ]; then
  compose_1_accepts "$here/compose.yml"
  echo "compose 1.29 accepts the compose file, too"
fi

step "base image"
if [ -z "${BASE_IMAGE:-}" ] && [ -n "${own_engine:-}" ]; then
  own_base=$name-base
  export BASE_IMAGE=$own_base
  quietly base base_image "$own_base"
fi

step "build"
quietly build compose --progress=plain build lab
docker image inspect --format '{{.Size}}' "$STREAMLAB_IMAGE" | awk '{printf "image: %d MB\n", $1 / 1e6}'

step "up"
up_from_s=$SECONDS
quietly up compose up -d --no-build --wait --wait-timeout 180
page=$(compose logs --no-color lab | grep -oE 'http://127\.0\.0\.1:[0-9]+/lab\?token=\S+' | tail -n 1)
echo "all healthy in $((SECONDS - up_from_s)) s: ${page%token=*}token=…"
memory "nothing open"

step "doctor, inside and outside"
inside ./lab doctor
"$here/lab-docker" doctor >/dev/null || fail "docker/lab-docker doctor did not work"

step "a browser: Lab 1 and Lab 3, lab check, the report, Spark's page"
[ "$(curl -s -o /dev/null -w '%{http_code}' "http://127.0.0.1:$STREAMLAB_PORT/api/contents")" = 403 ] ||
  fail "JupyterLab answers without a token"
inside python - lab01_wordcount lab02_windows lab03_log <"$here/ci/inside/solved.py"
env -u LD_LIBRARY_PATH "$python" "$here/ci/browser.py" "$page" "http://127.0.0.1:$STREAMLAB_SPARK_PORT" \
  "${pictures:-$T/pictures}" lab01_wordcount lab03_log
memory "after work"

step "Kafka and Lab 3's log, read by Spark on both workers"
inside python - <"$here/ci/inside/reads_kafka.py"

step "a Spark worker is killed in the middle of a job"
inside python - <"$here/ci/inside/killed.py" >"$T/killed" 2>&1 &
job=$!
# shellcheck disable=SC2317  # called by wait_until
half_done() { awk '/^progress/ && $2 >= 6 {found = 1} END {exit !found}' "$T/killed"; }
wait_until "six tasks are done" 120 half_done
compose exec -T spark-worker-2 python - <<'KILL' || true # killed with all others
import os, signal
os.kill(-1, signal.SIGKILL)
KILL
wait "$job" || { cat "$T/killed"; fail "the job did not survive the kill"; }
tail -n 1 "$T/killed"
starts=$(docker inspect --format '{{.RestartCount}}' "$(compose ps -q spark-worker-2)")
[ "$starts" -ge 1 ] || fail "the worker was not killed"
killed_s=$SECONDS
# shellcheck disable=SC2317  # called by wait_until
two_workers() { curl -sf "http://127.0.0.1:$STREAMLAB_SPARK_PORT/json/" | grep -q '"aliveworkers" : 2'; }
wait_until "the worker is back" 60 two_workers
echo "the worker was back $((SECONDS - killed_s)) s after the job's end"

step "down and up again: work stays, and was begun with an older release"
inside sh -c 'echo kept >work/kept.txt; echo 2020.1 >work/.release'
quietly down "$here/lab-docker" down
quietly up_again "$here/lab-docker" up
grep -q "StreamLab is at http://127.0.0.1:$STREAMLAB_PORT/lab?token=$STREAMLAB_TOKEN" "$T/up_again.log" || fail "no page was told"
grep 'your work was begun with release 2020.1' "$T/up_again.log" || fail "nothing was said of the older release"
[ "$(inside cat work/kept.txt)" = kept ] || fail "work did not survive down and up"
echo "work/kept.txt is there"

step "what goes wrong is said in one line"
says() {
  local expected=$1 said code=0
  shift
  said=$("$@" 2>&1 >/dev/null) || code=$?
  [[ $code -eq 2 && $said == "lab: $expected"* && $said != *$'\n'* ]] || fail "expected \"lab: $expected\" and code 2, got $code: $said"
  echo "$said"
}
says "port $STREAMLAB_PORT is taken" env COMPOSE_PROJECT_NAME=other "$here/lab-docker" up
says "docker's engine does not run" env DOCKER_HOST=unix:///nowhere "$here/lab-docker" up

step "a class is graded on the two workers, one of which is killed"
grading
[ -n "${KEEP:-}" ] || quietly stop grading_compose stop --timeout 2

step "containers as sandboxes: every level's tests in them, and the attacks"
quietly sandbox env ${host_network:+STREAMLAB_BUILD_NETWORK=host} "$here/lab-docker" sandbox
CI=true PYTHONPATH=$PWD "$python" -m pytest -q -m docker tests
PYTHONPATH=$PWD "$python" -m autograder.cli verify --attacks --quick --sandbox container >"$T/attacks" 2>&1 || { cat "$T/attacks"; fail "an attack went through"; }
tail -n 2 "$T/attacks"
if [ -n "${KEEP:-}" ]; then
  echo "up at $page; press return to end it"
  read -r _
fi
