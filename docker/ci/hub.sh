# shellcheck shell=bash
# To be sourced by docker/ci.sh: the image for a JupyterHub and for a development container. Lab 1 runs through the port of
# both. Uses $here, $T, $host_network, $python, $name, fail, free_port, quietly and wait_until of ci.sh.

HUBS_CONFIG=/tmp/jupyterhub_config.py

hub() {
  quietly hub_image docker build ${host_network:+--network host} --target hub --tag "$STREAMLAB_HUB_IMAGE" \
    --build-arg "BASE_IMAGE=${BASE_IMAGE:-debian:bookworm-slim}" --file "$here/Dockerfile" "$here/.."
  "$python" "$here/ci/hub_files.py" "$STREAMLAB_HUB_IMAGE"
  hub_starts_a_server
  development_container
}

# shellcheck disable=SC2317  # these two are called by wait_until
hub_api() { curl -sSf -H "Authorization: token $STREAMLAB_TOKEN" "http://127.0.0.1:$hub_port/hub/api/$1" "${@:2}"; }
server_ready() { hub_api users/ada | grep -q '"ready": *true'; }

# A hub in a container of its own image starts the server of a new user.
hub_starts_a_server() {
  local hub_port server_port
  hub_port=$(free_port) server_port=$(free_port)
  docker run -d --rm --name "$name-hub" --network host -e "HUB_PORT=$hub_port" -e "SERVER_PORT=$server_port" \
    -e "TOKEN=$STREAMLAB_TOKEN" -v "$here/ci/inside/jupyterhub_config.py:$HUBS_CONFIG:ro" "$STREAMLAB_HUB_IMAGE" \
    sh -c "cd /tmp && exec jupyterhub -f $HUBS_CONFIG" >/dev/null
  wait_until "the hub answers" 60 hub_api ""
  hub_api users/ada -X POST >/dev/null
  hub_api users/ada/server -X POST >/dev/null
  wait_until "the server is ready" 60 server_ready
  "$python" "$here/ci/server_session.py" "http://127.0.0.1:$server_port/user/ada" lab01_wordcount
  docker rm -f "$name-hub" >/dev/null
}

# The commands of devcontainer.json, on a folder that is mounted as an editor mounts it.
development_container() {
  local port work="$T/workspace" container="$name-development"
  port=$(free_port)
  install -d -o 1000 -g 100 "$work"
  docker run -d --rm --name "$container" --network host -v "$work:/workspaces/kit" -w /workspaces/kit \
    -e STREAMLAB_WORK=/workspaces/kit/work -e "JUPYTER_TOKEN=$STREAMLAB_TOKEN" "$STREAMLAB_HUB_IMAGE" sleep infinity >/dev/null
  docker exec "$container" sh -c "$(development postCreateCommand)"
  docker exec -d "$container" sh -c "$(development postAttachCommand | sed "s/8888/$port/")"
  wait_until "JupyterLab answers" 60 curl -sSf -H "Authorization: token $STREAMLAB_TOKEN" "http://127.0.0.1:$port/api/status"
  "$python" "$here/ci/server_session.py" "http://127.0.0.1:$port" lab01_wordcount
  [ -s "$work/work/lab01_wordcount/lab01_wordcount.ipynb" ] || fail "the work is not in the folder that was mounted"
  docker rm -f "$container" >/dev/null
}

development() { sed -n "s/^  \"$1\": \"\(.*\)\",$/\1/p" "$here/../.devcontainer/devcontainer.json"; }
