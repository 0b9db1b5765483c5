#!/usr/bin/env python3
"""Fails if a target grows over its limit, or a daemon's target is imported by one below it.

SwiftPM refuses cycles between targets; this also refuses an arrow that points down the list of the daemon's targets.
"""
import pathlib
import re
import sys

# Lines of Swift in one target: what a person can keep in mind.
LIMIT = 4_000
# Targets that are larger today. Lower these when a target gets smaller; never raise them.
LARGER = {"ACP": 5_500, "SessionLog": 4_900, "TinyvexSync": 5_300}
# From the bottom up: each imports only targets that come before it.
DAEMON = ["Posix", "EventLoop", "ACPRouting", "Access", "Connections", "SessionStreams", "Agents", "Functions",
          "Clients", "Bridge"]


def main():
    faults = []
    for target in sorted(pathlib.Path("Sources").iterdir()):
        files = list(target.rglob("*.swift")) if target.is_dir() else []
        lines = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files)
        limit = LARGER.get(target.name, LIMIT)
        if lines > limit:
            faults.append(f"{target} has {lines} lines; the limit is {limit}: split it")
        if target.name not in DAEMON:
            continue
        above = set(DAEMON[DAEMON.index(target.name) + 1:])
        for path in files:
            for name in re.findall(r"^(?:@\w+ )?import (\w+)", path.read_text(encoding="utf-8"), re.M):
                if name in above:
                    faults.append(f"{path} imports {name}, which is above {target.name}")
    print("\n".join(faults) if faults else "The structure is within its limits")
    return 1 if faults else 0


sys.exit(main())
