#!/usr/bin/env bash
# The tests that have a long form, in it: a viewer killed each second for a minute.
#
#     Tests/soak.sh [ARGUMENTS OF Tests/run.sh]
set -euo pipefail
export ACPBRIDGE_SOAK=1
exec "$(dirname "${BASH_SOURCE[0]}")/run.sh" --filter 'CompanyTests' "$@"
