# shellcheck shell=bash
# To be sourced by docker/ci.sh: the attacks of autograder/hostile, judged in containers of the sandbox image, where
# anything that they rest on has changed. Uses $here, $T, $only, $python and fail. Keeps out: the attacks on other levels,
# which `./lab verify` makes.

VERIFIED="$here/ci/attacks.verified"

# What the sandboxes are made of, the judge's side and the image, and the attacks.
RESTS_ON=(
  autograder/sandbox autograder/inside autograder/hostile autograder/cli/installation.py
  docker/Dockerfile docker/bake.py docker/lab-docker requirements.lock
)

attacks_digest() {
  (cd "$here/.." && find "${RESTS_ON[@]}" -name __pycache__ -prune -o -type f ! -name verified.json -print0 | LC_ALL=C sort -z |
    xargs -0 sha256sum | sha256sum | cut -d' ' -f1)
}

attacks_in_containers() {
  local digest
  digest=$(attacks_digest)
  if [ "$only" != attacks ] && [ "$(sed -n 1p "$VERIFIED" 2>/dev/null)" = "$digest" ]; then
    echo "the attacks were skipped; in containers they last gave: $(sed -n 2p "$VERIFIED")"
    echo "Nothing that this rests on has changed since (${RESTS_ON[*]}); \`docker/ci.sh attacks\` tries them all the same"
    return
  fi
  PYTHONPATH=$PWD "$python" -m autograder.cli verify --attacks --quick --sandbox container >"$T/attacks" 2>&1 ||
    { cat "$T/attacks"; fail "an attack went through"; }
  tail -n 2 "$T/attacks"
  printf '%s\n%s\n' "$digest" "$(tail -n 2 "$T/attacks" | head -n 1)" >"$VERIFIED"
  echo "docker/ci/attacks.verified says so; commit it, and docker/ci.sh skips them until something changes"
}
