#!/bin/sh
# Everything that compares Specwright with NuSMV, in one run: verdicts, tests, growth, grading. Takes the better part of an
# hour on two cores. Arguments go to none of the scripts; run them one by one to choose.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
plots=${PLOTS:-$here/../../book/src/images}
mkdir -p "$plots"
echo "== verdicts and tests from many mutants"
"$here/generate.py" --plot "$plots/growth-mutants.svg"
echo "== families of models"
"$here/scale.py" --plot "$plots/growth-models.svg"
echo "== models from elsewhere"
[ ! -d "$here/../../../shared/models" ] || "$here/check.py" --at-least 0.1
echo "== grading"
"$here/grade.py" --sample 10
