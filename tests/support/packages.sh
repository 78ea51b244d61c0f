#!/usr/bin/env bash
# packages.sh ROOT: what the installer installs in which release. Exits with 1 where it is not what that release needs.
set -euo pipefail
. "$1/installer/common.sh"
list="$root/installer/packages.txt"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  echo "packages.sh: $*" >&2
  exit 1
}

# A machine made up: $work/there holds what its dpkg-query says, apt-get only notes what it is asked for.
mkdir "$work/bin"
printf '#!/bin/sh\ncat "%s/there"\n' "$work" >"$work/bin/dpkg-query"
printf '#!/bin/sh\necho "$@" >>"%s/asked"\n' "$work" >"$work/bin/apt-get"
printf '#!/bin/sh\necho 0\n' >"$work/bin/id"
chmod +x "$work"/bin/*
PATH="$work/bin:$PATH"

# asked RELEASE: what the installer asks apt-get for there.
asked() {
  local name=$1
  release() { echo "$name"; }
  : >"$work/asked"
  install_packages build run >"$work/said"
  sed -n 's/^install -y -q --no-install-recommends //p' "$work/asked"
}

: >"$work/there"
[[ " $(asked bookworm) " == *" libqt6opengl6-dev libqt6svg6 "* ]] || fail "Debian 12 lacks packages of Qt that it has apart"
[[ " $(asked bookworm) " != *" qt6-svg-plugins "* ]] || fail "Debian 12 is asked for a package that it does not have"
[[ " $(asked trixie) " == *" qt6-svg-plugins "* ]] || fail "Debian 13 shows no icons without qt6-svg-plugins"
[[ " $(asked trixie) " != *" xvfb "* ]] || fail "packages of a kind that was not asked for are installed"

# What one package provides in place of another counts, what was removed does not.
packages trixie build run | grep -vx pkg-config | sed 's/.*/installed & /' >"$work/there"
echo 'installed pkgconf some-other (= 1), pkg-config (= 1.8.1-4)' >>"$work/there"
[ -z "$(asked trixie)" ] || fail "what is provided by another package is installed each time: $(asked trixie)"
[ ! -s "$work/asked" ] || fail "the package lists are fetched where nothing is missing"
sed -i 's/^installed mold/config-files mold/' "$work/there"
[ "$(asked trixie)" = mold ] || fail "a package that was removed counts as installed"

# The list is whole: other names are of packages in it, and the README gives the reason of each.
while read -r code name _; do
  grep -q "^$name " "$list" || fail "$code names $name otherwise, which is not in packages.txt"
done < <(grep '^@' "$list")
for code in bookworm trixie noble; do
  for name in $(packages $code build run test python format check package); do
    grep -qF "\`$name\`" "$root/README.md" || fail "the README's table of packages lacks $name"
  done
done
