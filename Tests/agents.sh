#!/usr/bin/env bash
# Starts a thousand agents, ends them in every possible way, and checks that no process, descriptor or memory of
# theirs is left. Takes about twenty minutes. `swift test` runs the same test with a few agents.
#
#     Tests/agents.sh [COUNT]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

export ACPBRIDGE_TEST_AGENTS=${1:-1000} SWIFT_BACKTRACE=enable=no
swift build --build-tests >.build/agents.log 2>&1 || { cat .build/agents.log && exit 1; }
# Test the ways one at a time.
swift test --skip-build --disable-xctest --no-parallel --filter ManyAgentsTests
