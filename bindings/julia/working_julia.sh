#!/bin/sh
# sh bindings/julia/working_julia.sh: makes build/julia/bin/julia, a Julia that works on this machine. Ends with
# status 0 and says where it is, or with 1 and why there is none. Can be run again.
#
# A Julia that is there already is used. Otherwise Debian's is installed: the last release that had one is Debian 11, so
# its `main` is added to apt beside the machine's own source, from which the line is derived. No package of the machine
# is replaced. That Julia goes with two libraries of its own time, which it alone is given:
#   - libunwind of the same release: with a newer one every exception that passes compiled code ends the process;
#   - libgcc_s before it: Debian's libunwind takes the place of libgcc's unwinder, so that C++ exceptions end the process.
set -eu
cd "$(dirname "$0")/../.."
folder=$PWD/build/julia

# True when Julia's and C++'s exceptions pass through this Julia.
works() {
  "$1" --startup-file=no -e 'f(x) = x > 0 ? throw(ArgumentError("x")) : 1
    answer = try f(length(ARGS) + 1) catch failure; failure end
    exit(answer isa ArgumentError ? 0 : 1)' >/dev/null 2>&1
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

# A script that gives Julia its libraries: $1 the program, $2 a folder of libraries or nothing.
write_julia() {
  mkdir -p "$folder/bin"
  {
    echo '#!/bin/sh'
    echo 'LD_PRELOAD=libgcc_s.so.1${LD_PRELOAD:+:$LD_PRELOAD}'
    [ -z "$2" ] || echo "LD_LIBRARY_PATH=$2"'${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}'
    echo 'export LD_PRELOAD LD_LIBRARY_PATH'
    echo "exec $1 \"\$@\""
  } >"$folder/bin/julia"
  chmod +x "$folder/bin/julia"
}

if [ -x "$folder/bin/julia" ] && works "$folder/bin/julia"; then
  echo "Julia is $folder/bin/julia"
  exit 0
fi

release=bullseye
list=/etc/apt/sources.list.d/vtemper-julia.sources
if ! command -v julia >/dev/null; then
  if ! command -v apt-get >/dev/null; then
    echo "There is no Julia, and this is not a Debian system: install it from julialang.org."
    exit 1
  fi
  # Not `apt-cache show`, which also succeeds for a package that others only mention.
  if [ -z "$(apt-cache madison julia 2>/dev/null)" ]; then
    # The first source that the machine has for its own release, with another name in its place.
    own=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
    address=$(apt-get indextargets --format '$(SITE) $(CODENAME) $(COMPONENT) $(CREATED_BY)' 2>/dev/null |
      awk -v own="$own" '$2 == own && $3 == "main" && $4 == "Packages" { print $1; exit }')
    key=$(ls /usr/share/keyrings/debian-archive-keyring.gpg /usr/share/keyrings/debian-archive-keyring.pgp 2>/dev/null | head -1)
    if [ -z "$address" ] || [ -z "$key" ]; then
      echo "There is no Julia, and apt has no Debian source from which that of $release could be derived."
      exit 1
    fi
    printf 'Types: deb\nURIs: %s\nSuites: %s\nComponents: main\nSigned-By: %s\n' "$address" "$release" "$key" |
      as_root tee "$list" >/dev/null
    as_root apt-get update -q
  fi
  # What is there already stays as it is: a plan that would upgrade or remove anything is not carried out.
  plan=$(apt-get install -s --no-install-recommends julia) || { echo "apt has no Julia for this machine."; exit 1; }
  if echo "$plan" | grep -qE '^(Remv|Inst [^ ]+ \[)'; then
    echo "Installing Julia would change other packages:"
    echo "$plan" | grep -E '^(Remv|Inst [^ ]+ \[)'
    exit 1
  fi
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends julia
fi

julia=$(command -v julia)
write_julia "$julia" ""
if ! works "$folder/bin/julia"; then
  version=$(apt-cache madison libunwind8 2>/dev/null | awk -F'|' -v release="$release/" 'index($3, release) { gsub(/ /, "", $2); print $2; exit }')
  if [ -n "$version" ]; then
    rm -rf "$folder/libunwind"
    mkdir -p "$folder/libunwind"
    (cd "$folder/libunwind" && apt-get download -q "libunwind8=$version" && dpkg-deb -x libunwind8_*.deb .)
    write_julia "$julia" "$(dirname "$(find "$folder/libunwind" -name 'libunwind.so.8' | head -1)")"
  fi
fi
if ! works "$folder/bin/julia"; then
  rm -f "$folder/bin/julia"
  echo "$julia ends at the first exception, and no libunwind was found that helps."
  exit 1
fi
echo "Julia is $folder/bin/julia ($("$folder/bin/julia" --version))"
