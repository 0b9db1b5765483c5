#!/usr/bin/env python3
"""Random faults in a fleet while agents write, and a check that readers at a viewer node got each update exactly once.

    faults.py PROGRAMS [--count N] [--seed N] [--only NAME,NAME…]

A run is repeated with the seed that it prints: the faults, their order and their durations are the same. The reader of a session has
exactly the bytes that the bridge of the session has, and of each run of an agent a beginning of what the agent wrote, in order. The hub
keeps what a power cut took from the log, until the session's agent starts again.
"""
import argparse
import json
import os
import pathlib
import random
import shutil
import signal
import sys
import time

from bridges import Editor, eventually
from client import Connection, ExactReader
from fleets import Fleet, journals

HERE = pathlib.Path(__file__).resolve().parent
WRITERS = ("one", "two")
# An update every 20 ms, with up to 1,000 random bytes.
PROMPT = "1000000 50 1000"


class Writer:
    """A bridge whose agent writes all the time. Sessions outlive the bridge: the next agent loads some of them."""

    def __init__(self, fleet, name, numbers):
        self.fleet, self.name, self.numbers = fleet, name, numbers
        self.bridge = fleet.add_bridge(name)
        self.written = fleet.folder / f"{name}-agent"
        self.written.mkdir()
        self.editor, self.sessions = None, []
        # Sessions whose end the log can have lost. The hub has it.
        self.cut_short = set()
        self.begin()

    def begin(self):
        self.editor = Editor(self.bridge, [sys.executable, HERE / "agent.py", self.written])
        loaded = [session for session in self.sessions[-2:] if self.numbers.random() < 0.7]
        for session in loaded:
            self.editor.call("session/load", sessionId=session, cwd="/", mcpServers=[])
        new = [self.editor.new_session() for _ in range(2 - len(loaded))]
        self.sessions += new
        self.cut_short.difference_update(loaded)
        for session in loaded + new:
            self.editor.prompt(session, PROMPT)

    def end_editor(self):
        # A program that runs on would start another bridge.
        self.editor.process.send_signal(signal.SIGSTOP)

    def kill(self):
        self.end_editor()
        self.bridge.kill()
        self.editor.process.kill()
        self.editor.process.wait()

    def start(self):
        self.bridge.start()
        self.begin()

    def copy_log(self, to):
        """Copies the log as it is at one moment."""
        self.bridge.process.send_signal(signal.SIGSTOP)
        shutil.rmtree(to, ignore_errors=True)
        shutil.copytree(self.bridge.home / "state", to)
        self.bridge.process.send_signal(signal.SIGCONT)

    def put_back(self, copy):
        # The list of deletions and other small files are part of the folder, as on a disk that was restored.
        shutil.rmtree(self.bridge.home / "state")
        shutil.copytree(copy, self.bridge.home / "state")
        self.cut_short.update(self.sessions)


class Faults:
    def __init__(self, fleet, numbers):
        self.fleet, self.numbers = fleet, numbers
        self.primary, self.standby = fleet.primary, fleet.standby
        self.viewer = fleet.add_viewer("viewer")
        self.writers = [Writer(fleet, name, numbers) for name in WRITERS]
        self.readers = {}

    def writer(self):
        return self.numbers.choice(self.writers)

    def pause(self):
        """A short or a long fault. After 15 s, connections are given up."""
        time.sleep(self.numbers.choice([0.2, 0.5, 1, 2, 4, 18]))

    # The faults

    def bridge_killed(self):
        writer = self.writer()
        writer.kill()
        writer.start()

    def viewer_killed(self):
        self.viewer.kill()
        self.viewer.start()

    def server_killed(self):
        self.primary.kill()
        self.pause()
        self.primary.start()

    def server_hangs(self):
        self.primary.freeze()
        self.pause()
        self.primary.thaw()

    def failover(self):
        """The primary is lost, and the standby, which has each commit, takes its place."""
        eventually("the standby streams", self.streams)
        self.primary.kill()
        self.standby.promote()
        self.primary, self.standby = self.standby, self.primary
        # The old primary becomes the standby. Until it streams, no transaction is committed.
        self.add_standby()

    def hub_restored(self):
        """The hub goes back in time, as after an asynchronous failover or the restore of a backup."""
        backup = self.primary.folder / "backup"
        self.primary.copy_from(self.primary, folder=backup, standby=False)
        time.sleep(self.numbers.uniform(0.5, 3))
        self.standby.stop("immediate")
        self.primary.kill()
        shutil.rmtree(self.primary.data)
        backup.rename(self.primary.data)
        self.primary.start()
        self.add_standby()

    def bridge_cut_off(self):
        self.cut(self.writer().name)

    def viewer_cut_off(self):
        self.cut("viewer")

    def server_cut_off(self):
        self.cut(self.primary.machine)

    def cut(self, machine):
        self.fleet.network.cut(machine)
        self.pause()
        self.fleet.network.heal(machine)

    def two_cut_off(self):
        names = self.numbers.choice([(self.writer().name, self.primary.machine), ("viewer", self.primary.machine),
                                     (self.standby.machine, self.primary.machine)])
        self.fleet.network.cut_between(*names)
        self.pause()
        self.fleet.network.heal_between(*names)

    def power_cut(self):
        """The log loses its newest updates, which the hub has. Claims are on the disk, so it loses none."""
        writer = self.writer()
        copy = self.fleet.folder / "power-cut"
        writer.copy_log(copy)
        time.sleep(self.numbers.uniform(0.2, 2))
        writer.kill()
        writer.put_back(copy)
        writer.start()

    def log_restored(self):
        """The log is put back to a state before the last start of its agent. The hub can have what followed."""
        writer = self.writer()
        copy = self.fleet.folder / f"{writer.name}-old"
        writer.copy_log(copy)
        writer.kill()
        writer.start()
        if self.numbers.random() < 0.5:
            # The lease of the bridge that was killed must end first.
            eventually("the bridge ships, or has found another log",
                       lambda: writer.bridge.hub().get("shippedUpdates", 0) > 0 or is_forked(writer.bridge))
        time.sleep(self.numbers.uniform(0.5, 3))
        self.find_sessions()
        writer.kill()
        writer.put_back(copy)
        writer.start()

    def log_copied(self):
        """A copy of the log is used elsewhere at the same time."""
        writer = self.writer()
        home = self.fleet.folder / "copy"
        shutil.rmtree(home, ignore_errors=True)
        home.mkdir(mode=0o700)
        writer.copy_log(home / "state")
        copy = type(writer.bridge)(self.fleet.programs, self.fleet.network, writer.name, home, self.fleet.address(writer.name))
        copy.start()
        editor = Editor(copy, [sys.executable, HERE / "agent.py", writer.written])
        editor.prompt(editor.new_session(), "100 50 1000")
        time.sleep(self.numbers.uniform(0.5, 2))
        editor.process.kill()
        copy.kill()

    # The standby

    def streams(self):
        return self.primary.query("SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'") == ["1"]

    def add_standby(self):
        self.standby.stop("immediate")
        self.standby.copy_from(self.primary)
        self.standby.start()
        self.primary.query("ALTER SYSTEM SET synchronous_standby_names = '*'")
        self.primary.query("SELECT pg_reload_conf()")

    # The readers

    def find_sessions(self):
        """Follows each session that the bridges have, from its first update on."""
        for reader in self.readers.values():
            reader.snapshot()
        for writer in self.writers:
            for session, journal in journals(writer.bridge).items():
                if key(session, journal) not in self.readers:
                    reader = ExactReader(self.viewer.socket, session, journal)
                    reader.writer = writer
                    self.readers[key(session, journal)] = reader

    def check(self):
        """Each reader has exactly what the session's bridge has, and a beginning of what each run of the agent wrote."""
        for writer in self.writers:
            (writer.written / "stop").touch()
        for writer in self.writers:
            eventually("the turns have ended", lambda: not any_runs(writer.bridge))
            eventually(lambda: f"bridge {writer.name} has shipped everything: {writer.bridge.hub()}",
                       lambda: has_shipped_everything(writer.bridge))
        self.find_sessions()
        updates = 0
        for writer in self.writers:
            for session, journal in journals(writer.bridge).items():
                reader = self.readers[key(session, journal)]
                home = ExactReader(writer.bridge.socket, session, journal)
                eventually(lambda: f"{journal}: the reader has what bridge {writer.name} has: {difference(reader, home)}",
                           lambda: has_all(home, session) and is_equal(reader, home, session in writer.cut_short))
                home.close()
        for reader in self.readers.values():
            found = reader.snapshot()
            check_runs(reader, found)
            updates += len(found)
        return updates


def is_forked(bridge):
    return "new id" in bridge.hub().get("error", "")


def has_shipped_everything(bridge):
    """A log that was restored gets a new id at the next start."""
    if is_forked(bridge):
        bridge.stop()
        bridge.start()
    return bridge.is_current()


def any_runs(bridge):
    """True while the bridge's agents write."""
    with Connection(bridge.socket) as connection:
        rows = connection.call("tinyvex/history.recentSessions", limit=10_000)
    return any(row["state"] == "running" for row in rows)


def has_all(reader, session):
    """True if the reader has as many updates as its bridge lists."""
    with Connection(reader.path) as connection:
        rows = connection.call("tinyvex/history.recentSessions", limit=10_000)
    counts = {row["journal"].rsplit("-", 1)[0]: row["updateCount"] for row in rows}
    return bool(reader.journal) and len(reader.snapshot()) == counts.get(reader.journal.rsplit("-", 1)[0])


def key(session, journal):
    """A log that was restored gives the number of a session to another one."""
    return session, journal.rsplit("-", 1)[0]


def is_equal(reader, home, is_cut_short):
    found, expected = reader.snapshot(), home.snapshot()
    return (found[:len(expected)] if is_cut_short else found) == expected


def difference(reader, home):
    found, expected = reader.snapshot(), home.snapshot()
    same = next((index for index, pair in enumerate(zip(found, expected)) if pair[0] != pair[1]), min(len(found), len(expected)))
    return f"{len(found)} and {len(expected)} updates, the first {same} are equal; {reader.journal}, {reader.problem}; {home.journal}, {home.problem}"


def check_runs(reader, updates):
    written = set((reader.writer.written / reader.session).read_bytes().split(b"\n"))
    last = {}
    for update in updates:
        assert update in written, f"{reader.session}: an update that the agent did not write: {update[:200]}"
        run, number, _ = json.loads(update)["params"]["update"]["content"]["text"].split(" ", 2)
        assert int(number) == last.get(run, 0) + 1, f"{reader.session}: update {number} of run {run} follows {last.get(run, 0)}"
        last[run] = int(number)


NAMES = ["bridge_killed", "viewer_killed", "server_killed", "server_hangs", "failover", "hub_restored", "bridge_cut_off",
         "viewer_cut_off", "server_cut_off", "two_cut_off", "power_cut", "log_restored", "log_copied"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("programs")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(3)))
    parser.add_argument("--only", type=lambda text: text.split(","), default=NAMES)
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    print(f"{options.count} faults, seed {options.seed}", flush=True)
    numbers = random.Random(options.seed)
    began = time.monotonic()
    with Fleet(options.programs, settings=["wal_level=replica", "max_wal_senders=5"], standby=True) as fleet:
        names = options.only
        if not fleet.network.has_namespaces:
            names = [name for name in names if "cut_off" not in name]
        faults = Faults(fleet, numbers)
        faults.add_standby()
        done = {}
        for index in range(options.count):
            # Each kind once, and then any.
            name = names[index] if index < len(names) else numbers.choice(names)
            faults.find_sessions()
            time.sleep(numbers.uniform(0.2, 1.5))
            print(f"{time.monotonic() - began:7.1f} s  {index + 1}: {name}", flush=True)
            getattr(faults, name)()
            done[name] = done.get(name, 0) + 1
        updates = faults.check()
        report = {"row": "faults", "seed": options.seed, "count": options.count, "seconds": round(time.monotonic() - began),
                  "sessions": len(faults.readers), "updates": updates, "resumed": sum(reader.resumed for reader in faults.readers.values()),
                  "takenBack": sum(reader.dropped for reader in faults.readers.values()), "kinds": done}
        print(json.dumps(report))
        for reader in faults.readers.values():
            reader.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
