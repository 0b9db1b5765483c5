#!/usr/bin/env bash
# Checks the sources without building them: their format, their prose and their structure. Takes some seconds.
#
#     Tests/checks.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source Tests/packages.sh

install_packages python3
swift format lint --strict --parallel --recursive Sources Tests Agents Package.swift
python3 Tests/Checks/prose.py
python3 Tests/Checks/structure.py
python3 Tests/Checks/portable.py
# The page's checks need Debian's packages of node; Tests/run.sh installs them.
if command -v node >/dev/null && command -v tsc >/dev/null && command -v esbuild >/dev/null; then
    Tests/page.sh
else
    echo "The page is not checked: run Tests/page.sh"
fi
