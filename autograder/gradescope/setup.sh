#!/bin/sh
# Gradescope runs this as root when it builds the image: it installs what the lab needs into .venv and .cache.
set -eu
source=$(cd "$(dirname "$0")" && pwd -P)
umask 022

# The system's Python, since another one may be in a folder that only root can enter.
STREAMLAB_PYTHON=/usr/bin/python3
if ! "$STREAMLAB_PYTHON" -c 'import ensurepip, venv' 2>/dev/null; then
  apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y python3 python3-venv
fi
STREAMLAB_CACHE=$source/.cache
export STREAMLAB_CACHE STREAMLAB_PYTHON
"$source/lab" install "$(cat "$source/lab-to-judge")"
