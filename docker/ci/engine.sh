# shellcheck shell=bash
# To be sourced by docker/ci.sh: an engine and its plugins in the folder $T, without installing anything.
# Needs Debian 12 or newer and root; `engine_end` stops what it starts.

COMPOSE_SUITE=trixie # the first Debian with compose 2; its plugins run on older ones

engine_answers() { timeout 10 docker info >/dev/null 2>&1 && docker compose version >/dev/null 2>&1; }

# Print in a few words why we cannot start our own engine here; print nothing if we can.
why_no_engine() {
  local cgroups=/sys/fs/cgroup/devices trial capabilities
  [ "$(id -u)" -eq 0 ] || { echo "no engine answers, and starting one takes root"; return; }
  if [ ! -e /etc/debian_version ] || ! command -v apt-get dpkg-deb >/dev/null; then
    echo "no engine answers, and ours needs Debian and its packages"
    return
  fi
  unshare --mount mount -t tmpfs none /mnt 2>/dev/null || { echo "no engine answers, and root may not mount here"; return; }
  unshare --net true 2>/dev/null || { echo "no engine answers, and root may not make network namespaces here"; return; }
  capabilities=$(sed -n 's/^CapEff:[[:space:]]*//p' /proc/self/status)
  [ $((16#$capabilities >> 12 & 1)) -eq 1 ] || { echo "no engine answers, and root may not make networks here"; return; }
  [ ! -e /sys/fs/cgroup/cgroup.controllers ] || cgroups=/sys/fs/cgroup
  trial=$(mktemp -u "$cgroups/streamlab-ci.XXXXXX")
  mkdir "$trial" 2>/dev/null && rmdir "$trial" || echo "no engine answers, and root may not make control groups here"
}

debian_mirror() { apt-get indextargets --format '$(SITE)' 'Created-By: Packages' | grep -m 1 -E '/debian/?$'; }

# FOLDER: set apt's options so that it keeps its lists and archives there and does not change the system.
_own_apt() {
  mkdir -p "$1"/{lists,cache/archives}/partial
  own=(-qq -o "Dir::State::lists=$1/lists" -o "Dir::Cache=$1/cache" -o APT::Sandbox::User=root)
}

# Unpack Debian's packages below $T/engine.
engine_packages() {
  local apt="$T/apt" own
  _own_apt "$apt"
  mkdir -p "$T/engine"
  apt-get "${own[@]}" update
  apt-get "${own[@]}" -o Debug::NoLocking=1 install -y --no-install-recommends --download-only \
    docker.io docker-compose iptables debootstrap shellcheck
  _unpack "$T/engine" "$apt"/cache/archives/*.deb
  rm -rf "$apt"
}

# Add compose 2 and buildx, from a later Debian.
engine_plugins() {
  local apt="$T/apt-plugins" own mirror
  mirror=$(debian_mirror)
  _own_apt "$apt"
  mkdir -p "$apt/plugins" "$DOCKER_CONFIG/cli-plugins"
  : >"$apt/no-packages"
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $COMPOSE_SUITE main" >"$apt/plugins.list"
  own+=(-o "Dir::Etc::SourceList=$apt/plugins.list" -o Dir::Etc::SourceParts=/dev/null)
  own+=(-o "Dir::State::status=$apt/no-packages")
  apt-get "${own[@]}" update
  (cd "$apt/plugins" && apt-get "${own[@]}" download docker-compose docker-buildx)
  _unpack "$T/plugins" "$apt"/plugins/*.deb
  cp "$T"/plugins/usr/libexec/docker/cli-plugins/* "$DOCKER_CONFIG/cli-plugins/"
  rm -rf "$apt" "$T/plugins"
}

_unpack() {
  local to=$1 package
  shift
  for package in "$@"; do [ ! -e "$package" ] || dpkg-deb --extract "$package" "$to"; done
}

# Put the unpacked programs first on the path; the system's other programs are used as they are.
engine_environment() {
  local libraries
  libraries=$(echo "$T"/engine/usr/lib/*-linux-gnu*)
  export PATH="$T/engine/usr/sbin:$T/engine/usr/bin:$PATH"
  export LD_LIBRARY_PATH="$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
  export DEBOOTSTRAP_DIR=/usr/share/debootstrap
  [ ! -d "$T/engine/usr/share/debootstrap" ] || DEBOOTSTRAP_DIR="$T/engine/usr/share/debootstrap"
  if [ -e "$T/engine/usr/sbin/xtables-nft-multi" ]; then
    ln -sf xtables-nft-multi "$T/engine/usr/sbin/iptables"
    export XTABLES_LIBDIR="$libraries/xtables"
  fi
}

# Start our own daemon, which does not change this machine's network: no bridge, no rules, no forwarding. Containers reach
# only each other, and only this machine reaches them, so the image must contain everything that they need.
engine_start() {
  local at="$T/daemon" unified=/sys/fs/cgroup/unified own_mounts=()
  mkdir -p "$at"
  # runc 1.1 finds a read-only hierarchy and makes no groups there; containers start, and each `exec` in one fails.
  if [ -d "$unified" ] && [ ! -w "$unified" ]; then
    own_mounts=(unshare --mount --propagation slave sh -c "umount $unified"' && exec "$0" "$@"')
  fi
  export DOCKER_HOST="unix://$at/socket"
  setsid "${own_mounts[@]}" dockerd --host "$DOCKER_HOST" --data-root "$at/data" --exec-root "$at/exec" --pidfile "$at/pid" \
    --bridge=none --iptables=false --ip6tables=false --ip-forward=false --ip-masq=false \
    >"$T/daemon.log" 2>&1 </dev/null &
  daemon=$!
  for _ in {1..150}; do
    timeout 5 docker version >/dev/null 2>&1 && return 0
    kill -0 "$daemon" 2>/dev/null || break
    sleep 0.1
  done
  tail -n 20 "$T/daemon.log"
  echo "ci: the docker daemon did not start; the end of its log is above"
  return 1
}

# Succeed if compose 1.29, which Debian 12 has, understands the compose file, too.
compose_1_accepts() {
  PYTHONPATH="$T/engine/usr/lib/python3/dist-packages" /usr/bin/python3 "$T/engine/usr/bin/docker-compose" \
    -f "$1" config --quiet
}

engine_end() {
  [ -n "${daemon:-}" ] || return 0
  kill "$daemon" 2>/dev/null || true
  for _ in {1..300}; do
    kill -0 "$daemon" 2>/dev/null || break
    sleep 0.1
  done
  local mounted
  awk -v below="$T/" 'index($2, below) == 1 {print $2}' /proc/mounts | sort -r | while read -r mounted; do
    umount "$mounted"
  done
}
