#!/bin/bash
# Runs the review of the GitHub Action. Its inputs are variables. The history must reach the common commit of both
# branches: `actions/checkout` with `fetch-depth: 0`.
set -euo pipefail
if [ -z "${BASE:-}" ] && [ -n "${BASE_BRANCH:-}" ]; then
    BASE="origin/$BASE_BRANCH"
fi
arguments=(--format github --fail-on "${FAIL_ON:-new}" --max-new "${MAX_NEW:-0}" --min-worth "${MIN_WORTH:-0}")
if [ -n "${BASELINE:-}" ]; then
    arguments+=(--baseline "$BASELINE")
fi
if [ -n "${BASE:-}" ]; then
    arguments+=(-- "$BASE")
fi
exec dupi-tui review "${arguments[@]}"
