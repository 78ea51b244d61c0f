# Shared by installer/demo and installer/test: messages, packages, build. Sourced, not run.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build="$root/build/release"

say() { printf '\n== %s\n' "$*"; }
die() {
  printf '\n%s: %s\n' "$(basename "$0")" "$*" >&2
  exit 1
}

# release: the code name of this machine's release (bookworm, trixie, noble), of a derivative the one that it is made from.
release() { (. /etc/os-release && echo "${UBUNTU_CODENAME:-${DEBIAN_CODENAME:-${VERSION_CODENAME-}}}"); }

# packages RELEASE KIND…: what packages.txt lists for these kinds, by the names of that release, one a line.
packages() {
  local code=$1
  shift
  awk -v code="$code" -v kinds=" $* " '
    $1 == "@" code { other = $3; for (i = 4; i <= NF; ++i) other = other "\n" $i; names[$2] = other }
    $1 !~ /^[#@]/ && index(kinds, " " $2 " ") { wanted[++count] = $1 }
    END { for (i = 1; i <= count; ++i) print wanted[i] in names ? names[wanted[i]] : wanted[i] }' "$root/installer/packages.txt"
}

# present: the packages that this machine has, and the names that they provide in place of others, one a line.
present() {
  dpkg-query -W -f='${db:Status-Status} ${Package} ${Provides}\n' |
    awk '$1 == "installed" { gsub(/\([^)]*\)|,/, " "); for (i = 2; i <= NF; ++i) print $i }'
}

# install_packages KIND…: installs what packages.txt lists for these kinds and the machine lacks.
install_packages() {
  local missing
  command -v dpkg-query >/dev/null || die "this script installs packages of Debian, and dpkg is not here. Install what installer/packages.txt lists, then build with: cmake --preset release && cmake --build --preset release"
  case $(release) in
    bookworm | trixie) ;;
    *) say "This is neither Debian 12 nor 13, on which Vantage is tested: packages may have other names, or be too old" ;;
  esac
  mapfile -t missing < <(packages "$(release)" "$@" | grep -vxFf <(present))
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
      *) args+=("$word") ;;
    esac
  done
  say "Configuring"
  (cd "$root" && cmake --preset release -DVANTAGE_TESTS="$tests" -DVANTAGE_CUDA=AUTO "${settings[@]}" --log-level=STATUS) || die "configuring failed (see above)"
  compile "${args[@]}"
}

# compile [TARGET…]: builds what is configured. No target: everything.
compile() {
  local word args=()
  for word in "$@"; do args+=(--target "$word"); done
  say "Building${*:+ $*}"
  NINJA_STATUS='[%f/%t] ' cmake --build "$build" -j "$(nproc)" "${args[@]}" | show_progress || die "building failed (see above)"
}

# show_progress: one line about a build's steps in place of a line for each, with the time left; what a failing step says is
# printed whole.
show_progress() {
  local line report done all gone open='' shown=-60 start=$SECONDS every=30
  [ ! -t 1 ] || every=1
  while IFS= read -r line; do
    [[ $line != *'Re-checking globbed directories'* ]] || continue  # counts as a step of two, before the others are known
    if [[ ! $line =~ ^\[([0-9]+)/([0-9]+)\]\  ]]; then
      printf '%b%s\n' "$open" "$line" && open=''
      continue
    fi
    done=${BASH_REMATCH[1]} all=${BASH_REMATCH[2]} gone=$((SECONDS - start))
    [ $((SECONDS - shown)) -ge $every ] || [ "$done" = "$all" ] || continue
    shown=$SECONDS
    report="$done of $all steps, $(clock $gone)"
    [ $((done * 20)) -le "$all" ] || [ "$done" = "$all" ] || report+=", about $(clock $((gone * (all - done) / done))) left"
    if [ $every = 1 ]; then printf '\r  %-70s' "$report" && open='\n'; else printf '  %s\n' "$report"; fi
  done
  printf '%b' "$open"
}

# clock SECONDS: 125 as 2:05.
clock() { printf '%d:%02d' $(($1 / 60)) $(($1 % 60)); }

# speed_factor: how many times as much processor time as the machine of the figures below this one needs, from a loop of a second.
speed_factor() {
  local i seconds TIMEFORMAT=%U
  seconds=$({ time for ((i = 0; i < 300000; ++i)); do :; done; } 2>&1)
  awk -v s="$seconds" -v reference=0.43 'BEGIN { f = s / reference; if (f < 1 / 3) f = 1 / 3; print f }'
}

# minutes_for SECONDS: whole minutes that so much processor time takes here, from measurements on a core of an AMD EPYC (2.6 GHz).
minutes_for() { awk -v s="$1" -v f="$(speed_factor)" -v n="$(nproc)" 'BEGIN { printf "%d", s * f / n / 60 + 1 }'; }

# The formatter by its version: another one writes some lines otherwise. Debian 12 and 13 both have this one.
formatter=clang-format-19

# check_format: fails where a file differs from what the formatter makes of it, and says how to mend it.
check_format() {
  say "Formatting ($formatter)"
  (cd "$root" && git ls-files '*.h' '*.cpp' '*.cu' '*.cuh' | xargs "$formatter" --dry-run -Werror) ||
    die "these files are not formatted. Mend them with: git ls-files '*.h' '*.cpp' '*.cu' '*.cuh' | xargs $formatter -i"
}
