#!/bin/sh
# sh tests/demo.sh [FOLDER]: the main job on real text. Installs the Debian packages that are needed, builds the command,
# fetches the English package descriptions of the machine's own Debian index (into the folder: the machine's lists stay
# as they are), fits LDA by plain SVI and by the usual method, and shows topics and held-out curves. Everything is
# written to FOLDER (build/demo). Can be run again. Without a Debian index or a network a synthetic corpus is used.
set -eu
cd "$(dirname "$0")/.."
folder=${1:-build/demo}

say() { printf '\n==== %s\n' "$*"; }

needed="build-essential cmake ninja-build pkg-config libxsimd-dev librandom123-dev libxxhash-dev
  zlib1g-dev libeigen3-dev libopenblas-dev libicu-dev libstemmer-dev nlohmann-json3-dev libcmocka-dev"

# The needed packages that are not installed.
missing() {
  for package in $needed; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || printf '%s ' "$package"
  done
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    echo "Run this as root, or install sudo, to do: $*"
    return 1
  fi
}

install() {
  # shellcheck disable=SC2046
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $(missing)
}

say "Debian packages"
if ! command -v dpkg-query >/dev/null; then
  echo "This is not a Debian system: nothing is installed. Needed are the equivalents of:" $needed
elif [ -z "$(missing)" ]; then
  echo "All packages are there."
else
  echo "Installing: $(missing)"
  install || {
    echo "The package lists may be old: updating them."
    as_root apt-get update -q
    install
  }
fi

say "Build"
cmake --preset release
cmake --build --preset release --target vtemper_command

say "Text: the package descriptions of this machine's Debian index"
mkdir -p "$folder/lists/partial" "$folder/cache"
folder=$(cd "$folder" && pwd)
indexed() { [ -n "$(find "$folder/lists" -name '*_Translation-en*')" ]; }
if indexed; then
  echo "They are in $folder/lists from an earlier run."
elif command -v apt-get >/dev/null; then
  # Lists and caches of its own, fetched as the user who runs this: the machine's own stay as they are.
  apt-get update -q -o Acquire::Languages=en -o Dir::State::Lists="$folder/lists" -o Dir::Cache="$folder/cache" \
    -o APT::Sandbox::User="$(id -un)" || true
  indexed || echo "The index could not be fetched (no network, or no Debian sources)."
else
  echo "There is no apt here."
fi

say "Fits"
build/release/vtemper demo --output "$folder" --lists "$folder/lists"

say "Done"
echo "The picture: $folder/heldout.svg"
