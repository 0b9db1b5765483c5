#!/usr/bin/env bash
# Starts and ends a thousand agents in every way an agent can end, and checks that none is left, nor a descriptor or
# memory of theirs. Takes some twenty minutes. What `swift test` does with a few of each.
#
#     Tests/agents.sh [COUNT]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

export ACPBRIDGE_TEST_AGENTS=${1:-1000} SWIFT_BACKTRACE=enable=no
swift build --build-tests >.build/agents.log 2>&1 || { cat .build/agents.log && exit 1; }
# One way after another.
swift test --skip-build --disable-xctest --no-parallel --filter ManyAgentsTests
