#!/bin/bash
# SPDX-License-Identifier: MIT
# Builds newlib's libc for the ISAs for which Debian has no ready one, out of Debian's newlib-source.
#
# usage: newlib.sh path ISA    print where the finished library is (or will be)
#        newlib.sh build ISA   build it there unless it is there already
#
# ISA is x86_64 or arm64. What stands at the printed path is always complete: it is built beside it
# and renamed into place; two builds at once wait for each other. The path names version, ISA and a
# hash of all that goes into the build, so that another set of flags is another folder.
set -euo pipefail

die() { echo "newlib.sh: $*" >&2; exit 1; }

source_archive() {
	local list=(/usr/src/newlib/newlib-*.tar.xz /usr/src/newlib-*.tar.xz)
	local f
	for f in "${list[@]}"; do
		[ -f "$f" ] && { echo "$f"; return; }
	done
}

[ $# -eq 2 ] || die "usage: newlib.sh path|build x86_64|arm64"
action=$1 isa=$2

common="-O2 -ffreestanding -fno-pie -fno-stack-protector -fno-omit-frame-pointer -fno-ipa-ra"
# Each thread has its own struct _reent: the kernel supplies __getreent().
common+=" -fno-asynchronous-unwind-tables -D__DYNAMIC_REENT__ -U__linux__"
case $isa in
x86_64)
	host=x86_64-elf cross=x86_64-linux-gnu-
	flags="$common -mno-red-zone -fcf-protection=none" ;;
arm64)
	host=aarch64-none-elf cross=aarch64-linux-gnu-
	flags="$common -mno-outline-atomics -ffixed-x18" ;;
*)	die "no build for '$isa': x86_64 and arm64 are built, arm has Debian's library" ;;
esac
options="--disable-multilib --disable-newlib-supplied-syscalls --enable-newlib-io-long-long
	--enable-newlib-io-c99-formats --enable-newlib-retargetable-locking"

archive=$(source_archive)
version=${archive##*/newlib-}
version=${version%.tar.xz}
hash=$(echo "$flags $options $(${cross}gcc -dumpfullversion 2>/dev/null || true)" | cksum | cut -d' ' -f1)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/baretrace
dest=$cache/newlib-${version:-missing}-$isa-$hash

[ "$action" = path ] && { echo "$dest"; exit 0; }
[ "$action" = build ] || die "unknown action '$action': path or build"
[ -f "$dest/lib/libc.a" ] && exit 0
[ -n "$archive" ] || die "no newlib source in /usr/src: install the package newlib-source (make setup does)"

mkdir -p "$cache"
exec 9>"$cache/lock-$isa"
flock -n 9 || { echo "  NEWLIB  $isa: another build of it is running, waiting" >&2; flock 9; }
[ -f "$dest/lib/libc.a" ] && exit 0

work=$cache/build-$isa-$$
step_pid=
trap 'rm -rf "$work"' EXIT
trap '[ -z "$step_pid" ] || kill "$step_pid" 2>/dev/null; exit 130' INT TERM
rm -rf "$cache/build-$isa-"*
mkdir -p "$work/build" "$work/source"
log=$cache/newlib-$isa.log

fail() { echo "newlib.sh: $1 failed, the end of $log:" >&2; tail -n 15 "$log" >&2; exit 1; }

# Runs a step with its output in the log while one line shows that it lives.
step() {
	local what=$1 start=$SECONDS
	shift
	"$@" >>"$log" 2>&1 9>&- &
	step_pid=$!
	while kill -0 "$step_pid" 2>/dev/null; do
		[ -t 2 ] && printf '\r  NEWLIB  %s: %s, %d s ' "$isa" "$what" $((SECONDS - start)) >&2
		[ -t 2 ] || [ $(((SECONDS - start) % 30)) -ne 29 ] ||
			{ echo "  NEWLIB  $isa: $what, still at it after $((SECONDS - start)) s" >&2; sleep 0.5; }
		sleep 0.5
	done
	wait "$step_pid" || { [ -t 2 ] && echo >&2; fail "$what"; }
	[ -t 2 ] && printf '\r' >&2
	echo "  NEWLIB  $isa: $what, $((SECONDS - start)) s   " >&2
}

configure_it() {
	cd "$work/build" &&
	env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS CC="${cross}gcc" AR="${cross}ar" AS="${cross}as" \
		RANLIB="${cross}ranlib" CFLAGS="$flags" \
		"$top/newlib/configure" --host="$host" --cache-file="$work/build/config.cache" $options
}

make_it() {
	env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make -C "$work/build" -j2 SUBDIRS=libc MAKEINFO=true all
}

echo "  NEWLIB  $isa: building newlib $version (once, 2 to 4 minutes), then kept in $dest" >&2
: >"$log"
step "unpack" tar -C "$work/source" -xf "$archive"
top=$(echo "$work"/source/*)
step "configure" configure_it
step "compile" make_it

mkdir -p "$work/install/lib"
cp "$work/build/libc.a" "$work/install/lib/"
cp -r "$work/build/targ-include" "$work/install/include"
# The build's own include folder holds only what is particular to it; the rest is the source's.
cp -rn "$top/newlib/libc/include/." "$work/install/include/"
mv -T "$work/install" "$dest"
