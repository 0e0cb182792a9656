# shellcheck shell=bash
# To be sourced by docker/ci.sh: build the image in which submissions are judged, and run the tests that need it, in
# parallel with other steps, which leave a core idle. Uses $here, $T, $host_network, $python, fail and quietly.

begin_sandbox_tests() {
  sandbox_tests_run >"$T/sandbox_tests" 2>&1 &
  sandbox_tests=$!
}

sandbox_tests_run() {
  quietly sandbox env ${host_network:+STREAMLAB_BUILD_NETWORK=host} "$here/lab-docker" sandbox
  CI=true PYTHONPATH=$PWD "$python" -m pytest -q -m docker tests
}

end_sandbox_tests() {
  local code=0
  wait "$sandbox_tests" || code=$?
  sandbox_tests=
  cat "$T/sandbox_tests"
  [ "$code" -eq 0 ] || fail "the tests of the sandboxes failed"
}
