#!/usr/bin/env python3
"""Measures a fleet with a real PostgreSQL, and prints one JSON object for each figure.

    measure.py PROGRAMS lag|catch-up|outage|readers|live-list|stored|editor [--seconds N] [--updates N] …

PROGRAMS is a folder with acpbridge and acpbridge-bench of a release build. Only what does not depend on the speed of the
machine is asserted: nothing is lost, nothing comes twice, and memory does not grow with an outage.
"""
import argparse
import json
import random
import signal
import subprocess
import sys
import time

from bridges import Editor, eventually
from client import AgeReader, Connection, ExactReader, percentile
from fleets import Fleet, journals

SIZE = 200


def report(row, **figures):
    print(json.dumps({"row": row} | {name: round(value, 2) if isinstance(value, float) else value for name, value in figures.items()}),
          flush=True)


def milliseconds(ages, percent):
    return percentile(ages, percent) / 1e6


def bench_agent(fleet, rate=None):
    words = [fleet.programs / "acpbridge-bench", "agent", "--size", SIZE]
    return words + (["--rate", rate] if rate else [])


class Load:
    """Sessions of one bridge that are written by one agent process."""

    def __init__(self, fleet, bridge, sessions, rate):
        self.bridge = bridge
        self.editor = Editor(bridge, bench_agent(fleet, rate))
        self.sessions = [self.editor.new_session() for _ in range(sessions)]

    def begin(self, updates):
        self.updates = updates
        self.turn = self.editor.prompt(self.sessions[0], str(updates))

    def wait(self):
        self.editor.wait(self.turn)


def processor(bridges, before=None):
    now = {name: bridge.processor_seconds() for name, bridge in bridges.items()}
    if before is None:
        return now
    return {name: {thread: seconds - before[name].get(thread, 0) for thread, seconds in threads.items()} for name, threads in now.items()}


def server_processor(server):
    """The processor time of PostgreSQL's processes, with those that ended."""
    total = 0
    for process in server.processes():
        try:
            fields = open(f"/proc/{process}/stat", encoding="utf-8").read().rsplit(")", 1)[1].split()
        except OSError:
            continue
        total += int(fields[11]) + int(fields[12])
        if process == server.process():
            total += int(fields[13]) + int(fields[14])
    return total / 100


def lag(options):
    """200 sessions at three bridges write 50 updates/s each; a viewer node's clients follow all of them."""
    with Fleet(options.programs) as fleet:
        names = ("one", "two", "three")
        shares = [options.sessions // 3 + (index < options.sessions % 3) for index in range(3)]
        loads = [Load(fleet, fleet.add_bridge(name), share, options.rate * share) for name, share in zip(names, shares)]
        viewer = fleet.add_viewer("viewer")
        readers = []
        for load in loads:
            # A session is listed after its first update.
            load.begin(len(load.sessions) * 2)
            load.wait()
            known = eventually("the sessions are known", lambda: all_of(load))
            eventually("the hub is current", load.bridge.is_current)
            readers.append(AgeReader(viewer.socket, [(session, known[session]) for session in load.sessions]))
        for load in loads:
            load.begin(options.rate * len(load.sessions) * options.seconds)
        # The first seconds are not counted: pages are loaded, and pauses are not settled.
        time.sleep(3)
        for reader in readers:
            reader.ages = []
        for load in loads:
            load.editor.ages = []
        before, database, began = processor(fleet.bridges), server_processor(fleet.primary), time.monotonic()
        for load in loads:
            load.wait()
        seconds = time.monotonic() - began
        used, database = processor(fleet.bridges, before), server_processor(fleet.primary) - database
        expected = sum(load.updates for load in loads)
        complete = lambda: sum(reader.count for reader in readers) >= expected
        eventually("the readers have everything", complete)
        ages = [age for reader in readers for age in reader.ages]
        report("lag", sessions=options.sessions, updatesPerSecond=round(len(ages) / seconds), p50=milliseconds(ages, 50), p99=milliseconds(ages, 99),
               editorP50=milliseconds([age for load in loads for age in load.editor.ages], 50),
               editorP99=milliseconds([age for load in loads for age in load.editor.ages], 99),
               shipperCores=sum(used[name].get("hub-shipper", 0) + used[name].get("hub-lease", 0) for name in names) / seconds,
               bridgeCores=sum(sum(used[name].values()) for name in names) / seconds,
               viewerCores=sum(used["viewer"].values()) / seconds, databaseCores=database / seconds,
               bridgeMemoryMiB=max(fleet.bridges[name].memory() for name in names) / 1024, viewerMemoryMiB=viewer.memory() / 1024)
        if options.verbose:
            report("threads", **{f"{name}/{thread}": seconds for name, threads in used.items() for thread, seconds in threads.items() if seconds > 0.05})
        assert sum(reader.count for reader in readers) == expected, "the readers got other numbers of updates"
        for load in loads:
            load.editor.close()


def all_of(load):
    known = journals(load.bridge)
    return known if set(load.sessions) <= set(known) else None


def stored_updates(fleet):
    """The updates at the hub, by the rows themselves."""
    return int(fleet.primary.query("SELECT coalesce(sum(count), 0) FROM acpbridge.run")[0])


def catch_up(options):
    """PostgreSQL is away while an agent writes to 200 sessions. Then the bridge ships everything."""
    with Fleet(options.programs) as fleet:
        bridge = fleet.add_bridge("one")
        load = Load(fleet, bridge, options.sessions, None)
        load.begin(len(load.sessions))
        load.wait()
        eventually("the hub is current", bridge.is_current)
        fleet.primary.stop()
        load.begin(options.updates)
        load.wait()
        eventually("the bridge notices", lambda: bridge.hub().get("state") == "failed")
        memory = bridge.memory()
        fleet.primary.start()
        begun = eventually("shipping begins", lambda: shipped_more(bridge, len(load.sessions)), pause=0.01)
        before, database, began = bridge.processor_seconds(), server_processor(fleet.primary), time.monotonic()
        peak = 0
        while not bridge.is_current():
            peak = max(peak, bridge.memory())
            time.sleep(0.02)
        seconds = time.monotonic() - began
        used, database = bridge.processor_seconds(), server_processor(fleet.primary) - database
        count = bridge.hub()["shippedUpdates"] - begun
        used = {thread: value - before.get(thread, 0) for thread, value in used.items()}
        report("catch-up", updates=count, seconds=seconds, updatesPerSecond=round(count / seconds), shipperSeconds=used.get("hub-shipper", 0.0),
               bridgeSeconds=sum(used.values()), databaseSeconds=database, memoryBeforeMiB=memory / 1024, memoryPeakMiB=peak / 1024)
        expected = options.updates + len(load.sessions)
        eventually("the hub has everything", lambda: stored_updates(fleet) == expected)
        load.editor.close()


def shipped_more(bridge, count):
    shipped = bridge.hub().get("shippedUpdates", 0)
    return shipped if shipped > count else None


def outage(options):
    """PostgreSQL is away for a time under load. Editors and readers of the bridge notice nothing, and memory stays."""
    rate, count = options.rate * options.sessions, options.sessions
    with Fleet(options.programs) as fleet:
        bridge = fleet.add_bridge("one")
        viewer = fleet.add_viewer("viewer")
        load = Load(fleet, bridge, count, rate)
        load.begin(count * 2)
        load.wait()
        known = eventually("the sessions are known", lambda: all_of(load))
        eventually("the hub is current", bridge.is_current)
        local = AgeReader(bridge.socket, [(session, known[session]) for session in load.sessions])
        remote = AgeReader(viewer.socket, [(session, known[session]) for session in load.sessions])
        exact = ExactReader(viewer.socket, load.sessions[0], known[load.sessions[0]])
        calm = 20
        load.begin(rate * (options.seconds + 3 * calm))
        time.sleep(5)

        def phase(name, seconds, **more):
            load.editor.ages, local.ages = [], []
            before, began = bridge.processor_seconds(), time.monotonic()
            time.sleep(seconds)
            took = time.monotonic() - began
            used = {thread: value - before.get(thread, 0) for thread, value in bridge.processor_seconds().items()}
            figures = {"editorP50": milliseconds(load.editor.ages, 50), "editorP99": milliseconds(load.editor.ages, 99),
                       "localP50": milliseconds(local.ages, 50), "localP99": milliseconds(local.ages, 99), "memoryMiB": bridge.memory() / 1024,
                       "bridgeCores": sum(used.values()) / took, "shipperCores": used.get("hub-shipper", 0) / took}
            report("outage", phase=name, seconds=round(took), updatesPerSecond=round(len(local.ages) / took), **figures, **more)
            return figures

        phase("before", calm - 5)
        fleet.primary.stop("immediate")
        # In the first half, the bridge's newest frames in memory reach their limit of 256 MiB.
        phase("away", options.seconds / 2)
        early = bridge.memory()
        during = phase("away", options.seconds / 2)
        away = rate * options.seconds
        began = time.monotonic()
        fleet.primary.start()
        eventually("the backlog is shipped", lambda: bridge.hub().get("state") != "failed" and stored_lag(fleet, local) < rate)
        drained = time.monotonic() - began
        report("outage", phase="drained", seconds=drained, timesRealTime=options.seconds / drained, memoryMiB=bridge.memory() / 1024)
        phase("after", calm / 2)
        load.wait()
        expected = load.updates + 2 * count
        eventually("the hub has everything", lambda: stored_updates(fleet) == expected and bridge.is_current())
        eventually("the viewer's readers have everything", lambda: remote.count == load.updates)
        home = ExactReader(bridge.socket, load.sessions[0], known[load.sessions[0]])
        eventually("a reader has the same bytes", lambda: len(home.snapshot()) == expected // count and home.snapshot() == exact.snapshot())
        assert during["memoryMiB"] * 1024 < early + 64 * 1024, "the bridge's memory grew while the hub was away"
        exact.close()
        home.close()
        load.editor.close()


def stored_lag(fleet, reader):
    return reader.count - stored_updates(fleet)


def readers(options):
    """1,000 readers of one session at two viewer nodes: the session's bridge carries the same load as with one reader."""
    with Fleet(options.programs) as fleet:
        bridge = fleet.add_bridge("one")
        viewers = [fleet.add_viewer(name) for name in ("left", "right")]
        load = Load(fleet, bridge, 1, options.rate)
        load.begin(2)
        load.wait()
        known = eventually("the session is known", lambda: all_of(load))
        eventually("the hub is current", bridge.is_current)
        for count in (1, 1000):
            # One connection for each reader.
            crowd = [AgeReader(viewers[index % 2].socket, list(known.items())) for index in range(count)]
            load.begin(options.rate * options.seconds)
            time.sleep(1)
            before, database, began = processor(fleet.bridges), server_processor(fleet.primary), time.monotonic()
            load.wait()
            seconds = time.monotonic() - began
            used, database = processor(fleet.bridges, before), server_processor(fleet.primary) - database
            eventually("each reader has everything", lambda: all(reader.count == load.updates for reader in crowd))
            ages = [age for reader in crowd for age in reader.ages]
            report("readers", readers=count, updatesPerSecond=options.rate, p50=milliseconds(ages, 50), p99=milliseconds(ages, 99),
                   bridgeCores=sum(used["one"].values()) / seconds, databaseCores=database / seconds,
                   viewerCores=sum(sum(used[name].values()) for name in ("left", "right")) / seconds)
            for reader in crowd:
                reader.close()
        load.editor.close()


# Sessions without a bridge: each row as a bridge would have shipped it.
SIMULATED = """
    INSERT INTO acpbridge.bridge (log_id, name, version, instance, owner, lease_until)
        SELECT 1000 + b, 'sim' || b, '0.2.0', 'i' || b, 'sim', now() + interval '1 day' FROM generate_series(1, {bridges}) b;
    INSERT INTO acpbridge.session (log_id, sid, day, agent, session_id, title, archived, cwd, prompt, epoch, created, last_ts, live, running, facts_sum)
        SELECT 1000 + 1 + i % {bridges}, 1 + i / {bridges}, DATE '2026-01-01' + i % 90, 'agent' || i % 7, 's' || i, 'Mend part ' || i || ' of the shop',
            false, '/home/u' || i % 50 || '/shop', 'Please mend part ' || i, 1, 1767225600000 + i * 5::int8, 1767225600000 + i * 5::int8, {live}, false, i
        FROM generate_series(0, {sessions} - 1) i;
    INSERT INTO acpbridge.head SELECT log_id, sid, 1, 1, 1, 1, 1, last_ts FROM acpbridge.session;
    INSERT INTO acpbridge.claim SELECT log_id, sid, 1, 1, 1 FROM acpbridge.session;
    {more}
    ANALYZE acpbridge.session; ANALYZE acpbridge.head; ANALYZE acpbridge.claim; ANALYZE acpbridge.run;
"""
CONTENTS = """
    SELECT count(acpbridge.make_day(DATE '2026-01-01' + i)) FROM generate_series(0, 89) i;
    INSERT INTO acpbridge.run (day, log_id, sid, epoch, n, first, count, ts, body, sum)
        SELECT day, log_id, sid, 1, 1, 1, 1, last_ts, convert_to('{line}', 'UTF8') || decode('0a', 'hex'), {sum} FROM acpbridge.session;
    INSERT INTO acpbridge.document (log_id, sid, first, last, ts, words)
        SELECT log_id, sid, 1, 1, last_ts, array_to_tsvector(ARRAY['mend', 'shop', 'word' || sid % 1000]) FROM acpbridge.session;
    ANALYZE acpbridge.document;
"""
LINE = ('{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk",'
        '"content":{"type":"text","text":"mend the shop word7 word77 word777"}}}}')


def crc32c(data):
    total = 0xFFFFFFFF
    for byte in data:
        total ^= byte
        for _ in range(8):
            total = total >> 1 ^ (0x82F63B78 if total & 1 else 0)
    return total ^ 0xFFFFFFFF


def timed(action, runs=9):
    """The median and the slowest of the times, in milliseconds."""
    times = []
    for _ in range(runs):
        began = time.monotonic()
        action()
        times.append((time.monotonic() - began) * 1000)
    return {"median": percentile(times, 50), "slowest": max(times)}


def first_page(viewer):
    with Connection(viewer.socket) as connection:
        rows = connection.query("sessions:list")
    return rows


def live_list(options):
    """A list of 5,000 live sessions of 50 bridges."""
    with Fleet(options.programs) as fleet:
        fleet.primary.query(SIMULATED.format(bridges=50, sessions=5000, live="true", more=""))
        viewer = fleet.add_viewer("viewer")
        rows = first_page(viewer)
        assert len(rows.get("sessions", rows)) > 0, "the list is empty"
        report("live-list", sessions=5000, bridges=50, **timed(lambda: first_page(viewer)))


def stored_list(options):
    """1,000,000 stored sessions: the first page of the list, a search, and a session that is opened."""
    with Fleet(options.programs) as fleet:
        more = CONTENTS.format(line=LINE, sum=crc32c(LINE.encode() + b"\n"))
        began = time.monotonic()
        fleet.primary.query(SIMULATED.format(bridges=50, sessions=options.stored, live="false", more=more))
        size = fleet.primary.query("SELECT pg_database_size('fleet') >> 20")[0]
        report("stored", sessions=options.stored, databaseMiB=int(size), insertedSeconds=time.monotonic() - began)
        viewer = fleet.add_viewer("viewer")
        first_page(viewer)
        report("stored", what="list", **timed(lambda: first_page(viewer)))
        numbers = random.Random(1)
        for word in ("mend", "word7"):
            hits = len(viewer.run("search", word, "--json").stdout.split("\n")) - 1
            report("stored", what=f"search {word}", hits=hits, **timed(lambda: viewer.run("search", word, "--json")))
        report("stored", what="open", **timed(lambda: opened(viewer, f"s{numbers.randrange(options.stored)}")))


def opened(viewer, session):
    with Connection(viewer.socket) as connection:
        answer = connection.subscribe(session, last=0)
        assert answer["headSeq"] == 1, answer
        assert connection.early or connection.message()


def editor_path(options):
    """The editor's latency with and without a hub, in turn: one update per write, 1,000 in a second."""
    with Fleet(options.programs) as fleet:
        fleet.add_bridge("one").stop()
        program = fleet.programs / "acpbridge"
        with_hub = fleet.folder / "with-hub"
        with_hub.write_text(f"#!/bin/sh\nACPBRIDGE_HUB='{fleet.address('one')}' exec {program} \"$@\"\n")
        with_hub.chmod(0o700)
        found = {"without": [], "with": []}
        for _ in range(options.rounds):
            for name, file in (("without", program), ("with", with_hub)):
                command = [fleet.programs / "acpbridge-bench", "editor", "--runs", 1, "--json", "--program", file, "--lines", options.lines]
                answer = subprocess.run(list(map(str, fleet.network.command("one", command))), check=True, capture_output=True, text=True).stdout
                rows = [json.loads(line) for line in answer.splitlines()]
                figures = [row for row in rows if row["system"] == "acpbridge" and "p99Microseconds" in row][0]
                found[name].append((figures["p50Microseconds"]["median"], figures["p99Microseconds"]["median"]))
        medians = {name: [percentile([row[index] for row in rows], 50) for index in (0, 1)] for name, rows in found.items()}
        report("editor", rounds=options.rounds, p50Without=medians["without"][0], p50With=medians["with"][0], p99Without=medians["without"][1],
               p99With=medians["with"][1], p99Ratio=medians["with"][1] / medians["without"][1], p50Ratio=medians["with"][0] / medians["without"][0])
        report("editor", shippedUpdates=stored_updates(fleet), all=found)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("programs")
    parser.add_argument("row")
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--sessions", type=int, default=200)
    parser.add_argument("--rate", type=int, default=50)
    parser.add_argument("--updates", type=int, default=300_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--lines", type=int, default=5000)
    parser.add_argument("--stored", type=int, default=1_000_000)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    rows = {"lag": lag, "catch-up": catch_up, "outage": outage, "readers": readers, "live-list": live_list, "stored": stored_list, "editor": editor_path}
    rows[options.row](options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
