#!/usr/bin/env bash
# Build NuSMV 2.5.4, the peer that benchmarks and the optional differential
# run compare against. Neither the product nor its default tests need it.
#
# usage: build-nusmv.sh [CACHE_DIR]
#
# CACHE_DIR defaults to ${XDG_CACHE_HOME:-$HOME/.cache}/specwright/nusmv.
# The last line printed is the path of the binary; everything else goes to
# stderr. A second run finds the binary and only prints its path.
#
# The source comes from the Python source package `pynusmv`, which carries the
# NuSMV 2.5.4 tarball with its CUDD. pip finds it wherever pip is configured to
# look.
#
# needs: python3 with venv, a C compiler, make, flex, bison, and the expat
#        headers (Debian: python3-venv gcc make flex bison libexpat1-dev)
set -euo pipefail

package=pynusmv==1.0rc8
tarball_sha256=3c250624cba801b1f62f50733f9507b0f3b3ca557ce1cd65956178eb273f1bdf

case "${1:-}" in
-h | --help)
    sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "$0"
    exit 0
    ;;
esac

cache=${1:-${XDG_CACHE_HOME:-$HOME/.cache}/specwright/nusmv}
mkdir -p "$cache"
cache=$(cd "$cache" && pwd)
binary=$cache/NuSMV

if [[ -x $binary ]]; then
    echo "$binary"
    exit 0
fi

say() { echo "build-nusmv: $*" >&2; }
die() {
    say "$*"
    exit 1
}

for tool in python3 cc make flex bison sha256sum; do
    command -v "$tool" >/dev/null || die "missing tool: $tool"
done
echo '#include <expat.h>' | cc -E - >/dev/null 2>&1 ||
    die "missing header: expat.h (Debian: libexpat1-dev)"

# Build in a fresh folder and move only the binary out, so that an interrupted
# run leaves nothing that looks finished. The log of the last run is kept.
work=$(mktemp -d "$cache/build.XXXXXX")
trap 'rm -rf "$work"' EXIT
log=$cache/build.log
: >"$log"

run() {
    "$@" >>"$log" 2>&1 || {
        tail -n 20 "$log" >&2
        die "failed: $* (log: $log)"
    }
}

say "fetching $package"
# pip runs the package's setup.py even to download it, and that old setup.py
# needs the `wheel` package and a setuptools that still has `pkg_resources`.
run python3 -m venv "$work/venv"
run "$work/venv/bin/pip" install 'setuptools<81' wheel
run "$work/venv/bin/pip" download --no-deps --no-build-isolation \
    --no-binary pynusmv --dest "$work" "$package"
run tar -xzf "$work"/pynusmv-*.tar.gz -C "$work" --strip-components=1 \
    --wildcards '*/dependencies/NuSMV/NuSMV-2.5.4.tar.gz'
source_tarball=$work/dependencies/NuSMV/NuSMV-2.5.4.tar.gz
echo "$tarball_sha256  $source_tarball" | sha256sum --check --status ||
    die "unexpected checksum of NuSMV-2.5.4.tar.gz"
run tar -xzf "$source_tarball" -C "$work"

root=$work/NuSMV-2.5.4
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
# The code is C of 2011: tentative definitions in headers, implicit
# declarations, K&R functions.
dialect="-fcommon -w -std=gnu89"

say "building CUDD"
cudd=$(echo "$root"/cudd-*)
# `union wait` left the C library; the status is an int.
sed -i 's/union wait[[:space:]]*status/int status/' "$cudd/util/pipefork.c"
# One job: CUDD's recursive make is not safe in parallel.
run make -C "$cudd" -f Makefile_64bit ICFLAGS="-O3 $dialect"

say "building NuSMV"
cd "$root/nusmv"
run ./configure --disable-minisat --disable-zchaff \
    CFLAGS="-O3 -DNDEBUG $dialect"
# The code generators are not safe in parallel either; the second, serial make
# finishes what the first may have left.
make -j"$jobs" >>"$log" 2>&1 || run make

[[ -x NuSMV ]] || die "make left no NuSMV binary (log: $log)"
cp NuSMV "$work/NuSMV.done"

# Smoke test: one true and one false property.
cat >"$work/smoke.smv" <<'SMV'
MODULE main
VAR b : boolean;
ASSIGN init(b) := FALSE; next(b) := !b;
SPEC AG (b -> AX !b)
SPEC AG !b
SMV
verdicts=$("$work/NuSMV.done" -dcx "$work/smoke.smv" 2>/dev/null |
    grep -c -E '^-- specification .* is (true|false)$' || true)
[[ $verdicts == 2 ]] || die "the binary does not check a two-line model"

mv "$work/NuSMV.done" "$binary"
say "done"
echo "$binary"
