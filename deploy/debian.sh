#!/bin/sh
# Makes sure of the Debian packages that `make run` or `make test` needs, and is silent when they
# are there. Root gets them installed; anybody else gets the one line to give to root.
#
#   deploy/debian.sh run|test
#
# It asks what the machine can do, not what dpkg lists, so a Python from elsewhere counts too.
set -eu

PYTHON=${PYTHON:-python3}

missing_for_run() {
    command -v "$PYTHON" >/dev/null || echo python3
    "$PYTHON" -c 'import venv, ensurepip' 2>/dev/null || echo python3-venv
}

missing_for_test() {
    missing_for_run
    # The benchmark's yardstick is written in C, and the tests compile it.
    command -v cc >/dev/null || echo gcc
    [ -e /usr/include/stdio.h ] || echo libc6-dev
    # A reader of PDF that is not ours and not Python's.
    command -v pdftotext >/dev/null || echo poppler-utils
    # The browser that the tests drive through every page.
    command -v chromium >/dev/null || echo chromium
}

case "${1:-}" in
    run | test) ;;
    *) echo "usage: deploy/debian.sh run|test" >&2; exit 2 ;;
esac

# Unquoted: package names, one word each, onto one line.
line() { echo $("missing_for_$1"); }

missing=$(line "$1")
[ -n "$missing" ] || exit 0

if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
    echo "apt-get install $missing" >&2
    exit 1
fi

echo "Installing Debian packages: $missing ..."
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
# Unquoted: one argument per package.
apt-get install -qq -y --no-install-recommends $missing >/dev/null

missing=$(line "$1")
[ -z "$missing" ] && exit 0
echo "installed, yet still not usable: $missing (python is $(command -v "$PYTHON"))" >&2
exit 1
