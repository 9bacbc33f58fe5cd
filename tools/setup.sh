#!/bin/bash
# SPDX-License-Identifier: MIT
# Installs the Debian packages that the build and the tests need, and nothing that is there already.
#
# usage: setup.sh [--dry-run] [--for-tests] [PACKAGE...]
#
# PACKAGE adds to the list what one target alone needs, --for-tests what only tests need and go on
# without, skipped, where it cannot be had. Quiet when nothing is missing. Says what it
# will do before it uses root or sudo. Where there is no apt it prints what to install and stops.
set -euo pipefail

# package, and a command or file by which it is recognised where there is no dpkg
list_packages() {
	local machine
	machine=$(uname -m)
	case $machine in
	x86_64) echo "gcc x86_64-linux-gnu-gcc"; echo "gcc-aarch64-linux-gnu aarch64-linux-gnu-gcc" ;;
	aarch64) echo "gcc aarch64-linux-gnu-gcc"; echo "gcc-x86-64-linux-gnu x86_64-linux-gnu-gcc" ;;
	*) echo "gcc gcc"; echo "gcc-x86-64-linux-gnu x86_64-linux-gnu-gcc"
	   echo "gcc-aarch64-linux-gnu aarch64-linux-gnu-gcc" ;;
	esac
	cat <<-END
	gcc-arm-none-eabi arm-none-eabi-gcc
	libnewlib-arm-none-eabi /usr/lib/arm-none-eabi/lib/libc.a
	libnewlib-dev /usr/include/newlib/newlib.h
	newlib-source /usr/src/newlib
	binutils ld
	libc6-dev /usr/include/stdio.h
	libelf-dev /usr/include/gelf.h
	make make
	python3 python3
	xz-utils xz
	git git
	qemu-system-x86 qemu-system-x86_64
	qemu-system-arm qemu-system-aarch64
	END
}

# The other compiler (260 MB), for the shapes of its call sites. GRUB for a PC's BIOS, which Debian has for PCs
# alone; without it the tools behind it are of no use.
list_test_packages() {
	echo "clang clang"
	[ "$(uname -m)" = x86_64 ] || return 0
	cat <<-END
	grub-pc-bin /usr/lib/grub/i386-pc
	grub-common grub-mkrescue
	xorriso xorriso
	mtools mformat
	END
}

is_there() {
	if command -v dpkg-query >/dev/null; then
		[ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
	elif [ "${2:0:1}" = / ]; then
		[ -e "$2" ]
	else
		command -v "$2" >/dev/null
	fi
}

dry_run=
[ "${1-}" = --dry-run ] && { dry_run=yes; shift; }
for_tests=
[ "${1-}" = --for-tests ] && { for_tests=yes; shift; }
all=$(list_packages; [ -z "$for_tests" ] || list_test_packages; for p in "$@"; do echo "$p $p"; done)
missing=()
while read -r package evidence; do
	if is_there "$package" "$evidence"; then state=installed; else state=missing missing+=("$package"); fi
	[ -z "$dry_run" ] || echo "$package $state"
done <<<"$all"

[ -z "$dry_run" ] || exit 0
[ ${#missing[@]} -gt 0 ] || exit 0

if ! command -v apt-get >/dev/null; then
	echo "setup: this is no Debian; install by hand, then try again: ${missing[*]}" >&2
	exit 1
fi
install=(env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}")
if [ "$(id -u)" = 0 ]; then
	as_root=() how="as root"
elif command -v sudo >/dev/null; then
	as_root=(sudo) how="with sudo"
else
	echo "setup: missing: ${missing[*]}" >&2
	echo "setup: there is no sudo; as root run: apt-get install --no-install-recommends ${missing[*]}" >&2
	exit 1
fi
echo "setup: will run $how: apt-get update; apt-get install ${missing[*]}" >&2
"${as_root[@]}" apt-get update -q >&2 || echo "setup: apt-get update failed, trying with the lists that are there" >&2
"${as_root[@]}" "${install[@]}" >&2
