#!/usr/bin/env bash
# Runs one command of specwright in a job, with annotations and a summary.
#
# COMMAND is the command; ARGUMENTS has one argument in each line, so that no text is split or evaluated.
# KNOWN, UPDATE_KNOWN, MIN_SCORE, SARIF and JUNIT are flags where they are set; ALLOW_UNKNOWN=true passes exit code 3.
set -uo pipefail

case "$COMMAND" in
  check | generate | grade | audit | run) ;;
  *)
    echo "::error::command: \`$COMMAND\` is none of check, generate, grade, audit and run" >&2
    exit 1
    ;;
esac

before=("$COMMAND")
after=()
place=before
while IFS= read -r line; do
  line=${line%$'\r'}
  [ -n "$line" ] || continue
  # What is behind `--` is the program under test.
  [ "$line" != -- ] || place=after
  if [ "$place" = before ]; then before+=("$line"); else after+=("$line"); fi
done <<<"${ARGUMENTS:-}"

before+=(--annotate)
[ -z "${GITHUB_STEP_SUMMARY:-}" ] || before+=(--summary "$GITHUB_STEP_SUMMARY")
[ -z "${KNOWN:-}" ] || before+=(--known "$KNOWN")
[ "${UPDATE_KNOWN:-false}" != true ] || before+=(--update-known)
[ -z "${MIN_SCORE:-}" ] || before+=(--min-score "$MIN_SCORE")
[ -z "${SARIF:-}" ] || before+=(--sarif "$SARIF")
[ -z "${JUNIT:-}" ] || before+=(--junit "$JUNIT")

specwright "${before[@]}" ${after[@]+"${after[@]}"}
code=$?
[ -z "${GITHUB_OUTPUT:-}" ] || echo "exit-code=$code" >>"$GITHUB_OUTPUT"
if [ "$code" -eq 3 ] && [ "${ALLOW_UNKNOWN:-false}" = true ]; then
  exit 0
fi
exit "$code"
