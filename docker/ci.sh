#!/usr/bin/env bash
# Builds the docker environment from scratch, starts it, works in it from outside, and leaves nothing behind.
#
#   docker/ci.sh          on Debian 12 as root; installs nothing: a missing engine is unpacked into a temporary folder
#   docker/ci.sh attacks  only the sandboxes: their tests, and the attacks, even if these would be skipped
#   docker/ci.sh hub      only the image for a JupyterHub and a development container
#
# The attacks in containers run only if anything that they rest on has changed since the last run in which all failed.
# This script records that run in docker/ci/attacks.verified; commit it.
# If an engine already answers, the script uses it, and its registry for the base image (unless BASE_IMAGE names one).
# Otherwise it starts its own engine and makes the base image from Debian's packages, without a registry. If no engine is
# available, it says so in one line and exits with code 3. PICTURES names a folder for screenshots of the browser session,
# PYTHON the Python with the developers' packages. KEEP=1 leaves the environment up and says how to reach it.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
# shellcheck source=docker/ci/engine.sh
source "$here/ci/engine.sh"
# shellcheck source=docker/ci/base_image.sh
source "$here/ci/base_image.sh"
# shellcheck source=docker/ci/environment.sh
source "$here/ci/environment.sh"
# shellcheck source=docker/ci/grading.sh
source "$here/ci/grading.sh"
# shellcheck source=docker/ci/hub.sh
source "$here/ci/hub.sh"
# shellcheck source=docker/ci/sandboxes.sh
source "$here/ci/sandboxes.sh"
# shellcheck source=docker/ci/attacks.sh
source "$here/ci/attacks.sh"

only=${1:-}
[[ $only =~ ^(attacks|hub)?$ ]] || { echo "ci: expected attacks, hub or nothing, got $only" >&2; exit 2; }
if ! engine_answers && why=$(why_no_engine) && [ -n "$why" ]; then
  echo "docker is not available here: $why" >&2
  exit 3
fi
pictures=${PICTURES:+$(realpath -m "$PICTURES")}
cd "$here/.."
python=${PYTHON:-.venv/bin/python}
problem=$("$python" -c 'from tests.browser.jupyterlab import missing; print(missing() or "")' 2>/dev/null) ||
  problem="$python does not run; .ci/run makes it, with the developers' packages"
[ -z "$problem" ] || { echo "ci: $problem" >&2; exit 2; }

T=$(mktemp -d /tmp/streamlab-ci.XXXXXX)
name=$(basename "$T" | tr '[:upper:].' '[:lower:]-')
export COMPOSE_PROJECT_NAME=$name STREAMLAB_IMAGE=$name STREAMLAB_SANDBOX_IMAGE=$name-sandbox STREAMLAB_TOKEN=token-of-ci DOCKER_BUILDKIT=1
STREAMLAB_HUB_IMAGE=$name-hub
control_groups() { (cd /sys/fs/cgroup && find . -maxdepth 2 -type d -name docker 2>/dev/null | sort); }
networks() { ip -o link 2>/dev/null | grep -oE 'docker0|br-[0-9a-f]{12}|veth[0-9a-f]+' | sort -u || true; }
groups_before=$(control_groups) networks_before=$(networks) # an interrupted run may have left some

step() { printf '\n== %s (%d s, load %s)\n' "$1" "$SECONDS" "$(cut -d' ' -f1 /proc/loadavg)"; }
fail() { printf 'ci: %s\n' "$*" >&2; exit 1; }

# LOG COMMAND…: run a command, and show the end of its output only if it fails.
quietly() {
  local log="$T/$1.log"
  shift
  "$@" >"$log" 2>&1 || { tail -n 40 "$log"; fail "$* failed; the end of its output is above"; }
}

compose() { docker compose -f "$here/compose.yml" ${host_network:+-f "$here/compose.ci.yml"} "$@"; }

wait_until() {
  local what=$1 limit_s=$2 began_s=$SECONDS
  shift 2
  until "$@" >/dev/null 2>&1; do
    [ $((SECONDS - began_s)) -lt "$limit_s" ] || fail "expected within $limit_s s: $what"
    sleep 0.3
  done
}

# shellcheck disable=SC2317  # called by the trap, as `clean` is
what_containers_say() {
  compose logs --no-color --tail 15
  docker ps --quiet --filter health=unhealthy |
    xargs -r docker inspect --format '{{.Name}}: {{range .State.Health.Log}}{{.ExitCode}} {{printf "%.300s" .Output}} {{end}}'
}

# shellcheck disable=SC2317
clean() {
  local code=$?
  trap '' INT TERM
  set +e
  step "clean up"
  [ -z "${base_files:-}" ] || wait "$base_files"
  [ -z "${sandbox_tests:-}" ] || wait "$sandbox_tests"
  [ "$code" -eq 0 ] || what_containers_say 2>/dev/null
  grading_compose down --volumes --remove-orphans --timeout 2 >/dev/null 2>&1
  docker rm -f "$name-hub" "$name-development" >/dev/null 2>&1
  docker image rm -f "$STREAMLAB_IMAGE" "$STREAMLAB_SANDBOX_IMAGE" "$STREAMLAB_HUB_IMAGE" ${own_base:+"$own_base"} >/dev/null 2>&1
  if [ -n "${own_engine:-}" ]; then engine_end; fi
  comm -13 <(echo "$groups_before") <(control_groups) | while read -r group; do
    find "/sys/fs/cgroup/$group" -depth -type d -exec rmdir {} + 2>/dev/null
  done
  rm -rf "$T"
  left=$( { comm -13 <(echo "$networks_before") <(networks); grep -o "${T}[^ ]*" /proc/mounts; } | head -5)
  if [ -n "${own_engine:-}" ] && [ -n "$left" ]; then printf 'ci: left behind: %s\n' "$left" >&2; code=1; fi
  [ "$code" -ne 0 ] || printf 'done, nothing left behind, %d s in all\n' "$SECONDS"
  exit "$code"
}
trap clean EXIT
trap 'exit 130' INT TERM

free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
export STREAMLAB_PORT STREAMLAB_SPARK_PORT STREAMLAB_KAFKA_PORT STREAMLAB_SYSTEM_PORT
export STREAMLAB_WORKER_1_CPUS=0 STREAMLAB_WORKER_2_CPUS=$(($(nproc) - 1)) # Lab 5 pins them
STREAMLAB_PORT=$(free_port) STREAMLAB_SPARK_PORT=$(free_port) STREAMLAB_KAFKA_PORT=$(free_port)
STREAMLAB_SYSTEM_PORT=$(free_port)

step "engine and base image"
if ! engine_answers; then
  own_engine=yes
  export DOCKER_CONFIG=$T/config
  quietly packages engine_packages
  engine_environment
  if [ -z "${BASE_IMAGE:-}" ]; then
    own_base=$name-base
    base_files >"$T/base_files.log" 2>&1 & # while the engine gets its plugins and starts
    base_files=$!
  fi
  quietly plugins engine_plugins
  engine_start
fi
docker network inspect bridge >/dev/null 2>&1 || host_network=yes # without a bridge, builds have no network
docker version --format 'engine {{.Server.Version}}' && docker compose version
if [ -x "$T/engine/usr/bin/shellcheck" ]; then
  shellcheck --exclude=SC2016 -x "$here/ci.sh" "$here/lab-docker" "$here/open-lab" "$here/../lab"
fi
if [ -x "$T/engine/usr/bin/docker-compose" ]; then
  compose_1_accepts "$here/compose.yml"
  echo "compose 1.29 accepts the compose file, too"
fi
if [ -n "${own_base:-}" ]; then
  wait "$base_files" || { tail -n 40 "$T/base_files.log"; fail "the base image's files could not be made"; }
  quietly base base_image "$own_base"
  export BASE_IMAGE=$own_base
fi

case $only in
  attacks) begin_sandbox_tests ;;
  hub) ;;
  *) learners_environment ;;
esac
if [ "$only" != attacks ]; then
  step "the image for a JupyterHub: no solutions; Lab 1 through a hub's port, and in a development container"
  hub
fi
if [ "$only" != hub ]; then
  step "containers as sandboxes: their tests, and the attacks"
  end_sandbox_tests
  attacks_in_containers
fi
if [ -n "${KEEP:-}" ]; then
  echo "up at ${page:-no page}; press return to stop it"
  read -r _
fi
