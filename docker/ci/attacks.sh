# shellcheck shell=bash
# To be sourced by docker/ci.sh: the attacks of autograder/hostile, judged in containers of the sandbox image if anything
# that they rest on has changed. Uses $here, $T, $only, $python and fail. `./lab verify` runs the attacks on other levels.

VERIFIED="$here/ci/attacks.verified"

# The sandboxes (the judge's side, the image, and what loads the cells and connects to Spark) and the attacks.
RESTS_ON=(
  autograder/sandbox autograder/inside autograder/hostile autograder/cli/installation.py
  docker/Dockerfile docker/bake.py docker/lab-docker requirements.lock
  streamlab/granted_time.py streamlab/notebooks streamlab/spark
)

# Comments and docstrings do not count; $python has the kit's packages.
attacks_digest() {
  (cd "$here/.." && PYTHONPATH=$PWD "$python" -m autograder.verify.code_digest "${RESTS_ON[@]}")
}

attacks_in_containers() {
  local digest
  digest=$(attacks_digest)
  if [ "$only" != attacks ] && [ "$(sed -n 1p "$VERIFIED" 2>/dev/null)" = "$digest" ]; then
    echo "the attacks were skipped; in containers they last gave: $(sed -n 2p "$VERIFIED")"
    echo "Nothing that this rests on has changed since (${RESTS_ON[*]}); \`docker/ci.sh attacks\` runs them anyway"
    return
  fi
  PYTHONPATH=$PWD "$python" -m autograder.cli verify --attacks --quick --sandbox container >"$T/attacks" 2>&1 ||
    { cat "$T/attacks"; fail "an attack went through"; }
  tail -n 2 "$T/attacks"
  printf '%s\n%s\n' "$digest" "$(tail -n 2 "$T/attacks" | head -n 1)" >"$VERIFIED"
  echo "docker/ci/attacks.verified records this run; commit it, and docker/ci.sh skips the attacks until something changes"
}
