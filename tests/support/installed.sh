#!/usr/bin/env bash
# installed.sh BUILD: what `cmake --install` puts in place works from there and is all there. Exits with 1 where not.
set -euo pipefail
build=$1
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
cmake --install "$build" --prefix "$prefix" >"$prefix/log" || { cat "$prefix/log"; exit 1; }

fail() {
  echo "installed.sh: $*" >&2
  exit 1
}
[[ $(cd / && "$prefix/bin/vantage-cli" --version) == "vantage-cli "* ]] || fail "vantage-cli does not say its version"
# The heads' model travels within the program.
"$prefix/bin/vantage-cli" synth --out "$prefix/footage" --cameras 1 --people 1 --size 320x240 --seconds 0.1 >/dev/null ||
  fail "synth does not run from where it was installed"
"$prefix/bin/vantage-cli" heads "$prefix"/footage/cam1.* --out "$prefix/boxes.csv" >/dev/null || fail "heads does not run there"
module="$prefix/lib/vantage/libvantage_cuda.so"
[ ! -f "$module" ] || "$prefix/bin/vantage-cli" doctor --json | grep -qF "\"cuda_module\": \"$module\"" ||
  fail "the CUDA module of lib/vantage is not used"
for file in vantage/cuda-module/gpu/module.cpp doc/vantage/LICENSE doc/vantage/formats.md doc/vantage/guide/first-project.md doc/vantage/vantage_results.py; do
  [ -s "$prefix/share/$file" ] || fail "share/$file is missing"
done
[ -x "$prefix/bin/vantage" ] || exit 0 # built without the window

desktop="$prefix/share/applications/vantage.desktop"
icon=$(sed -n 's/^Icon=//p' "$desktop")
type=$(sed -n 's/^MimeType=\(.*\);$/\1/p' "$desktop")
[ -s "$prefix/share/icons/hicolor/scalable/apps/$icon.svg" ] || fail "the icon '$icon' of vantage.desktop is missing"
grep -q "type=\"$type\"" "$prefix"/share/mime/packages/*.xml || fail "no description of the type '$type' of vantage.desktop"
program=$(sed -n 's/^Exec=\([^ ]*\).*/\1/p' "$desktop")
"$prefix/bin/$program" --help >/dev/null || fail "'$program' of vantage.desktop does not start"
