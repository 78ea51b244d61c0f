# Shared by installer/demo and installer/test: messages, packages, build. Sourced, not run.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build="$root/build/release"

say() { printf '\n== %s\n' "$*"; }
die() {
  printf '\n%s: %s\n' "$(basename "$0")" "$*" >&2
  exit 1
}

# install_packages KIND…: installs what packages.txt lists for these kinds and the machine lacks.
install_packages() {
  local kinds=" $* " missing=() package kind
  command -v dpkg-query >/dev/null || die "this script installs Debian packages, and dpkg is not here. Install what installer/packages.txt lists, then build with: cmake --preset release && cmake --build --preset release"
  while read -r package kind _; do
    case "$package" in '' | '#'*) continue ;; esac
    [[ $kinds == *" $kind "* ]] || continue
    [[ $(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || missing+=("$package")
  done <"$root/installer/packages.txt"
  if [ ${#missing[@]} -eq 0 ]; then
    say "Packages: all there"
    return
  fi
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || die "these packages are missing and installing them needs root or sudo: ${missing[*]}"
    as_root=(sudo)
  fi
  say "Packages: installing ${#missing[@]} (${missing[*]})"
  "${as_root[@]}" apt-get update -q || die "the package lists could not be fetched. Is there a network? Missing packages: ${missing[*]}"
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}" ||
    die "apt-get could not install: ${missing[*]}"
}

# build_targets TESTS [-DNAME=VALUE…] TARGET…: configures (tests ON or OFF) and builds. No target: everything.
build_targets() {
  local tests=$1 word
  shift
  local args=() settings=()
  for word in "$@"; do
    case "$word" in
      -D*) settings+=("$word") ;;
      *) args+=(--target "$word") ;;
    esac
  done
  say "Configuring"
  (cd "$root" && cmake --preset release -DVANTAGE_TESTS="$tests" "${settings[@]}" --log-level=STATUS) || die "configuring failed (see above)"
  say "Building"
  cmake --build "$build" -j "$(nproc)" "${args[@]}" || die "building failed (see above)"
}

# The formatter by its version: another one writes some lines otherwise. Debian 12 and 13 both have this one.
formatter=clang-format-19

# check_format: fails where a file differs from what the formatter makes of it, and says how to mend it.
check_format() {
  say "Formatting ($formatter)"
  (cd "$root" && git ls-files '*.h' '*.cpp' '*.cu' '*.cuh' | xargs "$formatter" --dry-run -Werror) ||
    die "these files are not formatted. Mend them with: git ls-files '*.h' '*.cpp' '*.cu' '*.cuh' | xargs $formatter -i"
}
