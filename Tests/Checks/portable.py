#!/usr/bin/env python3
"""Fails if the client library needs a target, a module or an API that exists only on Linux or only on later systems.

The manifest is read as on a Mac (ACPBRIDGE_PORTABLE). Tests/apple.sh checks the availability of the standard library's API
more exactly, but not in targets that import Foundation.
"""
import json
import os
import pathlib
import re
import subprocess
import sys

# Modules of every platform that Swift supports.
MODULES = {"Combine", "CombineStandIn", "Foundation", "FoundationEssentials", "FoundationNetworking", "Synchronization",
           "Testing", "XCTest"}
# Only under a condition: these do not exist everywhere.
CONDITIONAL = {"Combine", "CombineStandIn", "FoundationEssentials", "FoundationNetworking", "TinyvexSockets",
               "TinyvexClientPortable"}
# API that needs more than macOS 15, iOS 18 or Swift 6.2, with a replacement.
FORBIDDEN = {
    r"\bInlineArray\b": "InlineArray needs macOS 26; use a tuple",
    r"\[\d+ of ": "InlineArray needs macOS 26; use a tuple",
    r"\bweak let\b": "weak let needs Swift 6.3; use WeakReference",
    r"\bTask\.immediate\b": "Task.immediate needs macOS 26",
    r"\bUTF8Span\b|\.utf8Span\b": "UTF8Span needs macOS 26",
    r"\bObservations\b": "Observations needs macOS 26",
    r"\bepoll_|\beventfd\b|\bsignalfd\b|\binotify_|\bprctl\(|\bpidfd_": "this system call exists only on Linux",
}


WORKFLOW = pathlib.Path(".github/workflows/apple.yml")


def package_on_a_mac():
    """The products' names, and the targets by name."""
    environment = dict(os.environ, ACPBRIDGE_PORTABLE="1")
    text = subprocess.run(["swift", "package", "dump-package"], env=environment, stdout=subprocess.PIPE, check=True).stdout
    package = json.loads(text)
    return [product["name"] for product in package["products"]], {target["name"]: target for target in package["targets"]}


def folder(target):
    """The folder of a target's sources."""
    return pathlib.Path(target.get("path") or f'{"Tests" if target["type"] == "test" else "Sources"}/{target["name"]}')


def dependencies(target):
    """The names of a target's dependencies."""
    found = (dependency.get("byName") or dependency.get("target") for dependency in target["dependencies"])
    return {dependency[0] for dependency in found if dependency}


def imports(text):
    """The imported modules of a file, each with whether it is inside #if."""
    depth = 0
    for line in text.splitlines():
        word = line.strip()
        if word.startswith("#if"):
            depth += 1
        elif word.startswith("#endif"):
            depth -= 1
        match = re.match(r"(?:@\w+ |package |public )*import (?:struct |class |enum |protocol )?(\w+)", word)
        if match:
            yield match[1], depth > 0


def main():
    products, package = package_on_a_mac()
    built = re.search(r"for product in (.*);", WORKFLOW.read_text(encoding="utf-8"))
    missing = set(products) - set(built[1].split() if built else [])
    faults = [f"{WORKFLOW} does not build {name} for each platform" for name in sorted(missing)]
    if "TinyvexClient" not in package:
        faults.append("Package.swift has no TinyvexClient on a Mac")
    for name, target in package.items():
        missing = dependencies(target) - package.keys()
        if missing:
            faults.append(f"{name} depends on {', '.join(sorted(missing))}, which need Linux: see portableTargets")
        if any(setting["kind"].get("unsafeFlags") for setting in target.get("settings", [])):
            faults.append(f"{name} has unsafe flags, so no other package can depend on it")
        known = dependencies(target) | MODULES | {name}
        for path in sorted(folder(target).rglob("*.swift")):
            text = path.read_text(encoding="utf-8")
            for module, is_conditional in imports(text):
                if module in CONDITIONAL and not is_conditional:
                    faults.append(f"{path} imports {module} on each platform")
                elif module not in known | CONDITIONAL and not module.startswith("ACP"):
                    faults.append(f"{path} imports {module}, which may not exist on each platform")
            code = re.sub(r"//.*", "", text)
            for pattern, reason in FORBIDDEN.items():
                if re.search(pattern, code):
                    faults.append(f"{path}: {reason}")
            # A slice has a span on macOS 15; an array has one only on macOS 26.
            for match in re.finditer(r"\b(bytes|storage|text|carry|line|chunk)\.span\b", code):
                if re.search(rf"\b(?:let|var) {match[1]}: \[UInt8\]", code) and not re.search(
                        rf"\b(?:let|var) {match[1]} = .*\[", code):
                    faults.append(f"{path}: {match[0]} is the span of an array, which needs macOS 26; use a slice")
    print("\n".join(faults) if faults else f"The {len(package)} portable targets need no other platform")
    return 1 if faults else 0


sys.exit(main())
