# shellcheck shell=bash
# To be sourced by docker/ci.sh: an image like debian:bookworm-slim, from Debian's packages, so that no registry is needed.
# It also trusts the certificate authorities of this machine. Uses debian_mirror of engine.sh.

# Make the image's files below $T/base; this needs no engine yet.
base_files() {
  local root="$T/base" own=/usr/local/share/ca-certificates certificate
  debootstrap --variant=minbase bookworm "$root" "$(debian_mirror)"
  if [ -e /etc/apt/sources.list.d/debian.sources ]; then
    cp /etc/apt/sources.list.d/debian.sources "$root/etc/apt/sources.list.d/"
    rm -f "$root/etc/apt/sources.list"
  fi
  printf 'path-exclude /usr/share/%s/*\n' doc man info locale >"$root/etc/dpkg/dpkg.cfg.d/slim"
  printf 'Acquire::Languages "none";\n' >"$root/etc/apt/apt.conf.d/slim"
  printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
  chmod 755 "$root/usr/sbin/policy-rc.d"
  rm -rf "$root"/var/cache/apt/* "$root"/var/lib/apt/lists/* "$root"/usr/share/{man,info,locale,doc}/*
  install -d "$root$own"
  for certificate in "$own"/*.crt; do [ ! -e "$certificate" ] || cp "$certificate" "$root$own/"; done
}

# NAME: make the image from these files.
base_image() {
  tar -C "$T/base" --numeric-owner -c . | docker import --change 'CMD ["bash"]' - "$1"
  rm -rf "$T/base"
}
