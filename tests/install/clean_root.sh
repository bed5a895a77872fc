#!/bin/sh
# Installs the Debian packages that packages.sh made by apt into an otherwise empty minimal Debian: dpkg runs the
# maintainer scripts, and the packages' dependencies are complete. The command works, a newly linked program finds the
# library, and removing the packages leaves nothing behind.
set -eu
packages=$(dirname "$VTEMPER_BUILD")/debian
ls "$packages"/*.deb >/dev/null 2>&1 || { echo "there are no packages: packages.sh did not make them"; exit 77; }
[ "$(id -u)" -eq 0 ] || { echo "only root can change into another root"; exit 77; }
command -v debootstrap >/dev/null || { echo "debootstrap is missing"; exit 77; }
# shellcheck disable=SC1091
release=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
mirror=$(apt-get indextargets --format '$(RELEASE) $(SITE)' 'Created-By: Packages' 2>/dev/null |
  awk -v release="$release" '$1 == release { print $2; exit }')
[ -n "$mirror" ] || { echo "apt knows no source of packages for this release of Debian"; exit 77; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root
fail() {
  echo "$1"
  exit 1
}
inside() { chroot "$root" env PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive LC_ALL=C "$@"; }

echo "== a minimal Debian"
debootstrap --variant=minbase "$release" "$root" "$mirror" >"$work/log" 2>&1 || {
  tail -5 "$work/log"
  echo "no minimal Debian can be made here"
  exit 77
}
cp /etc/resolv.conf "$root/etc/resolv.conf"
inside apt-get update -q >"$work/log" 2>&1 || { tail -5 "$work/log"; echo "apt has no network in there"; exit 77; }

echo "== apt-get install"
cp "$packages"/*.deb "$root/tmp"
inside sh -c 'apt-get install -y -q --no-install-recommends /tmp/libvtemper0_*.deb /tmp/vtemper_*.deb' >"$work/log" 2>&1 ||
  { cat "$work/log"; fail "the packages cannot be installed"; }
inside ldconfig -p | grep -q 'libvtemper\.so\.0 ' || fail "the linker does not know the library"

echo "== the command"
for row in 1 2 3 4 5 6; do echo "3 0:$row 1:1 2:2"; done >"$root/tmp/rows.ldac"
inside vtemper fit /tmp/rows.ldac -o /tmp/rows.model --topics 2 -q || fail "the command does not fit"
inside vtemper topics /tmp/rows.model >"$work/topics"
[ "$(wc -l <"$work/topics")" -ge 3 ] || fail "the command shows no topics"

echo "== apt-get install of the development package"
inside sh -c 'apt-get install -y -q --no-install-recommends /tmp/libvtemper-dev_*.deb gcc libc6-dev pkg-config' >"$work/log" 2>&1 ||
  { cat "$work/log"; fail "the development package cannot be installed"; }
cp "$VTEMPER_SOURCE/tests/install/fit.c" "$root/tmp/fit.c"
inside sh -c 'cc -std=c11 -Wall -Wextra -Werror /tmp/fit.c -o /tmp/fit $(pkg-config --cflags --libs vtemper) && /tmp/fit' ||
  fail "a C program does not find the library"

echo "== apt-get remove"
inside apt-get purge -y -q vtemper libvtemper-dev libvtemper0 >"$work/log" 2>&1 || { cat "$work/log"; fail "they cannot be removed"; }
left=$(find "$root/usr" "$root/etc" "$root/var/lib/dpkg/info" -name '*vtemper*')
[ -z "$left" ] || fail "left behind: $left"
echo "all is well"
