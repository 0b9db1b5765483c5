#!/usr/bin/env python3
"""Fails if a target grows over its limit, a target of the daemon or the program is imported by one below it, or the
portable part of the client imports a module that exists only on some platforms.

SwiftPM refuses cycles between targets; this also refuses an arrow that points down one of the two lists below.
"""
import pathlib
import re
import sys

# Lines of Swift in one target: what a person can keep in mind.
LIMIT = 4_000
# Targets that are larger today. Lower these when a target gets smaller; never raise them.
LARGER = {}
# From the bottom up: each imports only targets of its list that come before it.
DAEMON = ["Posix", "Diagnostics", "SQLite", "SessionRecords", "SessionStore", "SessionLog", "EventLoop", "ACPRouting",
          "Access", "Connections", "SessionStreams", "Agents", "SessionFolding", "FileStore", "Functions", "Clients", "Bridge"]
# The client without its sockets, which must build on each platform that has Swift.
PORTABLE = ["RemoteAgent", "TinyvexMachine", "TinyvexSync", "TinyvexTransport"]
SYSTEM = {"CCurl", "CShims", "CTLS", "Darwin", "EventLoop", "Foundation", "Glibc", "Posix", "TinyvexSockets"}
PROGRAM = ["ArgumentParsing", "CLI", "BridgeSettings", "TerminalIO", "CommandContext", "LocalBridge", "BridgeRequests",
           "SessionOutput", "TerminalEditing", "EditorShims", "DaemonCommands", "ExportCommands",
           "ReportCommands", "ClientCommands", "acpbridge"]


def main():
    faults = []
    for target in sorted(pathlib.Path("Sources").iterdir()):
        files = list(target.rglob("*.swift")) if target.is_dir() else []
        lines = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files)
        limit = LARGER.get(target.name, LIMIT)
        if lines > limit:
            faults.append(f"{target} has {lines} lines; the limit is {limit}: split it")
        above = {name for order in (DAEMON, PROGRAM) if target.name in order
                 for name in order[order.index(target.name) + 1:]}
        system = SYSTEM if target.name in PORTABLE else set()
        for path in files:
            for name in re.findall(r"^(?:@\w+ )?import (\w+)", path.read_text(encoding="utf-8"), re.M):
                if name in above:
                    faults.append(f"{path} imports {name}, which is above {target.name}")
                if name in system:
                    faults.append(f"{path} imports {name}, which does not exist on each platform")
    print("\n".join(faults) if faults else "The structure is within its limits")
    return 1 if faults else 0


sys.exit(main())
