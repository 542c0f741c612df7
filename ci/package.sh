#!/usr/bin/env bash
# Packs a built program for a release: ci/package.sh VERSION TARGET FOLDER
#
# FOLDER/specwright[.exe] becomes specwright-VERSION-TARGET.tar.gz (.zip for Windows) with its sum beside it, in dist/.
set -euo pipefail
[ $# -eq 3 ] || { echo "usage: ci/package.sh VERSION TARGET FOLDER" >&2; exit 1; }
version=$1 target=$2 built=$3
root=$(cd "$(dirname "$0")/.." && pwd)
name=specwright-$version-$target
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
mkdir -p "$stage/$name" dist
case "$target" in
  *windows*) program=specwright.exe ;;
  *) program=specwright ;;
esac
cp "$built/$program" "$root/README.md" "$root/CHANGELOG.md" "$root/LICENSE-MIT" "$root/LICENSE-APACHE" "$stage/$name/"
case "$target" in
  *windows*)
    archive=$name.zip
    if command -v zip >/dev/null; then
      (cd "$stage" && zip -q -r "$archive" "$name")
    else
      (cd "$stage" && 7z a -bd -y "$archive" "$name" >/dev/null)
    fi
    ;;
  *)
    archive=$name.tar.gz
    tar -czf "$stage/$archive" -C "$stage" "$name"
    ;;
esac
mv "$stage/$archive" dist/
if command -v sha256sum >/dev/null; then
  (cd dist && sha256sum "$archive" >"$archive.sha256")
else
  (cd dist && shasum -a 256 "$archive" >"$archive.sha256")
fi
echo "dist/$archive"
