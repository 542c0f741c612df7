#!/usr/bin/env bash
# Installs specwright for the steps of a job: the released program, checked against its sum, or else built from source.
#
# SPECWRIGHT_VERSION is a release such as v1.2.3, or `source`; RELEASES is the address of the releases.
# RUNNER_OS, RUNNER_ARCH, RUNNER_TEMP and GITHUB_PATH are those of the runner; SOURCE is the folder of this repository.
set -euo pipefail

version=${SPECWRIGHT_VERSION:-source}
folder=$RUNNER_TEMP/specwright
mkdir -p "$folder"

if [[ $version =~ ^v[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.]+)?$ ]]; then
  case "$RUNNER_OS-$RUNNER_ARCH" in
    Linux-X64) target=x86_64-unknown-linux-musl end=tar.gz ;;
    Linux-ARM64) target=aarch64-unknown-linux-musl end=tar.gz ;;
    macOS-X64) target=x86_64-apple-darwin end=tar.gz ;;
    macOS-ARM64) target=aarch64-apple-darwin end=tar.gz ;;
    Windows-X64) target=x86_64-pc-windows-msvc end=zip ;;
    *)
      echo "::error::there is no release for $RUNNER_OS on $RUNNER_ARCH: use version: source" >&2
      exit 1
      ;;
  esac
  name=specwright-${version#v}-$target
  curl --fail --silent --show-error --location --retry 3 --remote-name-all --output-dir "$folder" \
    "$RELEASES/download/$version/$name.$end" "$RELEASES/download/$version/$name.$end.sha256"
  if command -v sha256sum >/dev/null; then
    sum() { sha256sum "$1"; }
  else
    sum() { shasum -a 256 "$1"; }
  fi
  wanted=$(cut -d ' ' -f 1 "$folder/$name.$end.sha256")
  found=$(sum "$folder/$name.$end" | cut -d ' ' -f 1)
  if [ -z "$wanted" ] || [ "$wanted" != "$found" ]; then
    echo "::error::$name.$end has the sum $found, not $wanted" >&2
    exit 1
  fi
  if [ "$end" = zip ]; then
    unzip -q -o "$folder/$name.$end" -d "$folder"
  else
    tar -xzf "$folder/$name.$end" -C "$folder"
  fi
  program=$folder/$name
elif [ "$version" = source ]; then
  cargo install --quiet --locked --path "$SOURCE/crates/cli" --root "$folder"
  program=$folder/bin
else
  echo "::error::version: \`$version\` is neither a release such as v1.2.3 nor \`source\`" >&2
  exit 1
fi
echo "$program" >>"$GITHUB_PATH"
