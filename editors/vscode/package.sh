#!/usr/bin/env bash
# Builds specwright.vsix.
set -euo pipefail
cd "$(dirname "$0")"
[ -d node_modules ] || npm ci --no-audit --no-fund
npm run --silent types
npm run --silent lint
npm test --silent
cp ../../LICENSE-MIT LICENSE
trap 'rm -f LICENSE' EXIT
npm run --silent package
