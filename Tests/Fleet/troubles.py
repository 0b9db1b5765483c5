#!/usr/bin/env python3
"""Bad luck between a bridge and its hub: each trouble has a state, a reason and a line in the log, and heals by itself.

    troubles.py PROGRAMS

For each trouble, prints the state and the reason that `acpbridge hub status` reports. Asserted are: the state in `bridge:status` and in
the metrics, one line in the bridge's log, no password anywhere, and shipping as soon as the trouble is over.
"""
import argparse
import json
import os
import pathlib
import signal
import subprocess
import sys
import time
import urllib.parse

from bridges import Bridge, Editor, eventually
from client import Connection, ExactReader
from fleets import Fleet
from postgres import PASSWORD

HERE = pathlib.Path(__file__).resolve().parent


class Trouble:
    """A bridge of its own for each trouble, so that its log has the lines of one trouble only."""

    def __init__(self, fleet, name, hub=None, heals=True, environment=None):
        self.fleet, self.name, self.heals = fleet, name, heals
        fleet.primary.query(f"CREATE ROLE {name} LOGIN PASSWORD '{PASSWORD}' IN ROLE acpbridge_ship")
        fleet.network.add(name)
        self.bridge = Bridge(fleet.programs, fleet.network, name, fleet.folder / name, hub or fleet.address(name),
                             environment=environment)
        fleet.bridges[name] = self.bridge
        fleet.closing.callback(self.bridge.stop)
        self.written = fleet.folder / f"{name}-agent"
        self.written.mkdir()
        fleet.closing.callback((self.written / "stop").touch)

    def __enter__(self):
        self.bridge.start()
        self.editor = Editor(self.bridge, [sys.executable, HERE / "agent.py", self.written])
        self.session = self.editor.new_session()
        self.editor.prompt(self.session, "100000 20 200")
        return self

    def expect(self, *words, lines=1):
        """The hub cannot be used, for a reason with one of these words."""
        eventually(f"{self.name}: the hub fails with {words}: {self.bridge.hub()}", lambda: any(word in self.reason() for word in words))
        # Several attempts follow.
        time.sleep(4)
        reason = self.reason()
        assert any(word in reason for word in words), f"{self.name}: {reason}"
        assert self.metric("failed") == "1", f"{self.name}: the metrics have another state"
        found = self.bridge.log_lines("hub_failed")
        assert len(found) <= lines, f"{self.name}: {len(found)} lines: {found}"
        connected = self.bridge.log_lines("hub_connected")
        assert len(connected) <= 1, f"{self.name}: {len(connected)} lines: {connected}"
        status = self.bridge.run("hub", "status", timeout=60)
        self.bridge_alive()
        print(json.dumps({"row": "trouble", "trouble": self.name, "state": "failed", "reason": reason}), flush=True)
        return status.stdout + status.stderr

    def bridge_alive(self):
        before = self.editor.received
        eventually(f"{self.name}: the editor gets updates", lambda: self.editor.received > before, patience=10)

    def reason(self):
        return self.bridge.hub().get("error", "")

    def metric(self, state):
        answer = subprocess.run(["curl", "--silent", "--unix-socket", self.bridge.socket, "http://localhost/metrics"], capture_output=True,
                                text=True, check=True).stdout
        return answer.split(f'acpbridge_hub_state{{state="{state}"}} ')[1].split("\n")[0]

    def __exit__(self, kind, *_):
        if kind is None and self.heals:
            eventually(f"{self.name}: heals: {self.bridge.hub()}", lambda: self.bridge.hub().get("state") in ("shipping", "current"))
            eventually(f"{self.name}: ships", self.ships)
            assert len(self.bridge.log_lines("hub_connected")) >= 1
        (self.written / "stop").touch()
        self.editor.close()
        self.bridge.stop()

    def ships(self):
        sql = f"SELECT coalesce(max(h.seq), 0) FROM acpbridge.head h JOIN acpbridge.session s USING (log_id, sid) WHERE s.session_id = '{self.session}'"
        return int(self.fleet.primary.query(sql)[0]) > 20


def password(fleet):
    wrong = fleet.address("password").replace(f":{PASSWORD}@", ":wrong-hidden-word@")
    with Trouble(fleet, "password", wrong) as trouble:
        trouble.expect("password authentication failed")
        fleet.primary.query("ALTER ROLE password PASSWORD 'wrong-hidden-word'")


def missing_schema(fleet):
    fleet.primary.query("ALTER SCHEMA acpbridge RENAME TO away")
    fleet.primary.query("GRANT USAGE ON SCHEMA away TO acpbridge_ship")
    with Trouble(fleet, "missing") as trouble:
        status = trouble.expect("acpbridge hub init")
        assert "acpbridge hub init" in status, status
        fleet.primary.query("ALTER SCHEMA away RENAME TO acpbridge")


def newer_schema(fleet):
    fleet.primary.query("UPDATE acpbridge.schema_version SET version = version + 1")
    with Trouble(fleet, "newer") as trouble:
        trouble.expect("upgrade the bridge")
        fleet.primary.query("UPDATE acpbridge.schema_version SET version = version - 1")


def older_schema(fleet):
    fleet.primary.query("UPDATE acpbridge.schema_version SET version = version - 1")
    with Trouble(fleet, "older") as trouble:
        trouble.expect("acpbridge hub migrate")
        fleet.primary.query("UPDATE acpbridge.schema_version SET version = version + 1")


def read_only(fleet):
    """A replica refuses to write, as this user's transactions do."""
    with Trouble(fleet, "readonly") as trouble:
        eventually("ships", trouble.ships)
        fleet.primary.query("ALTER ROLE readonly SET default_transaction_read_only = on")
        kick(fleet, "readonly")
        # The end of the connection is another trouble.
        trouble.expect("read-only", lines=2)
        fleet.primary.query("ALTER ROLE readonly RESET default_transaction_read_only")
        kick(fleet, "readonly")


def kick(fleet, user):
    fleet.primary.query(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '{user}'")


def full_disk(fleet):
    """The rows are in a tablespace on a file system of 16 MB."""
    if os.geteuid():
        return print(json.dumps({"row": "trouble", "trouble": "full", "skipped": "only root can mount a file system"}))
    small = fleet.folder / "small"
    small.mkdir()

    def inside(*words):
        # The server can have its own view of the file systems.
        subprocess.run(["nsenter", "--target", str(fleet.primary.process()), "--mount", *map(str, words)], check=False, capture_output=True)

    inside("mount", "-t", "tmpfs", "-o", "size=16m,mode=700,uid=postgres,gid=postgres", "tmpfs", small)
    fleet.primary.query(f"CREATE TABLESPACE small LOCATION '{small}'")
    today = fleet.primary.query("SELECT acpbridge.make_day(current_date); SELECT 'run_' || to_char(current_date, 'YYYYMMDD')")[-1]
    with Trouble(fleet, "full") as trouble:
        eventually("ships", trouble.ships)
        fleet.primary.query(f"ALTER TABLE acpbridge.{today} SET TABLESPACE small")
        inside("dd", "if=/dev/zero", f"of={small}/filler", "bs=1M")
        trouble.expect("could not extend file", "No space left on device")
        inside("rm", small / "filler")
    fleet.primary.query(f"ALTER TABLE acpbridge.{today} SET TABLESPACE pg_default")


def hangs(fleet):
    with Trouble(fleet, "hangs") as trouble:
        eventually("ships", trouble.ships)
        if fleet.network.has_namespaces:
            fleet.network.cut("hangs")
        else:
            fleet.primary.freeze()
        trouble.expect("did not answer in time", "timed out", "timeout")
        if fleet.network.has_namespaces:
            fleet.network.heal("hangs")
        else:
            fleet.primary.thaw()


def unknown_host(fleet):
    with Trouble(fleet, "dns", f"postgres://dns:{PASSWORD}@no-such-host.invalid:{fleet.primary.port}/fleet", heals=False) as trouble:
        trouble.expect("could not translate host name")


def restart(fleet):
    with Trouble(fleet, "restarts") as trouble:
        eventually("ships", trouble.ships)
        fleet.primary.stop("immediate")
        trouble.expect("could not", "connection", "refused", "No such file")
        fleet.primary.start()


def encryption(fleet):
    """`sslmode=verify-full` accepts the server's certificate for its name only, from the right authority only."""
    data = fleet.primary.data
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-keyout",
                    data / "server.key", "-out", data / "server.crt", "-subj", "/CN=hub", "-addext", f"subjectAltName=IP:{fleet.primary.address}"],
                   check=True, capture_output=True)
    for name in ("server.key", "server.crt"):
        (data / name).chmod(0o600)
        fleet.primary.give(data / name)
    right = fleet.folder / "right.crt"
    right.write_bytes((data / "server.crt").read_bytes())
    wrong = fleet.folder / "wrong.crt"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-keyout", "/dev/null",
                    "-out", wrong, "-subj", "/CN=other"], check=True, capture_output=True)
    fleet.primary.query("ALTER SYSTEM SET ssl = on")
    fleet.primary.query("SELECT pg_reload_conf()")
    verified = fleet.address("encrypted") + f"?sslmode=verify-full&sslrootcert={urllib.parse.quote(str(right))}"
    with Trouble(fleet, "encrypted", verified) as trouble:
        eventually("ships", trouble.ships)
        used = fleet.primary.query("SELECT bool_and(l.ssl) FROM pg_stat_ssl l JOIN pg_stat_activity a USING (pid) WHERE a.usename = 'encrypted'")
        assert used == ["t"], used
    for name, address in (("authority", fleet.address("authority") + f"?sslmode=verify-full&sslrootcert={wrong}"),
                          ("hostname", fleet.address("hostname").replace(f"@{fleet.primary.address}:", "@localhost:")
                           + f"?sslmode=verify-full&sslrootcert={right}&hostaddr={fleet.primary.address}")):
        with Trouble(fleet, name, address, heals=False) as trouble:
            trouble.expect("certificate verify failed", "does not match host name")
    fleet.primary.query("ALTER SYSTEM SET ssl = off")
    fleet.primary.query("SELECT pg_reload_conf()")


def clock_skew(fleet):
    """The clocks of two bridges are an hour ahead and an hour behind. Leases are by PostgreSQL's clock, and readers miss nothing."""
    library = fleet.folder / "skew.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, HERE / "skew.c"], check=True)
    viewer = fleet.add_viewer("viewer")
    clocks = {"ahead": 3600, "behind": -3600}
    troubles = {name: Trouble(fleet, name, environment={"LD_PRELOAD": str(library), "CLOCK_SKEW": str(skew)}) for name, skew in clocks.items()}
    with troubles["ahead"], troubles["behind"]:
        for name, trouble in troubles.items():
            eventually(f"{name}: ships", trouble.ships)
        # Longer than a lease.
        time.sleep(16)
        for name, trouble in troubles.items():
            where = f"FROM acpbridge.session s JOIN acpbridge.bridge b USING (log_id) WHERE s.session_id = '{trouble.session}'"
            created = int(fleet.primary.query(f"SELECT s.created {where}")[0]) / 1000
            assert abs(created - time.time() - clocks[name]) < 600, f"{name}: the clock of the bridge is right"
            assert fleet.primary.query(f"SELECT b.lease_until BETWEEN now() AND now() + interval '16 s' {where}") == ["t"], f"{name}: the lease"
            with Connection(viewer.socket) as connection:
                rows = connection.call("tinyvex/history.recentSessions", limit=100)
            assert not [row for row in rows if row["sessionId"] == trouble.session and "unreachableTs" in row], f"{name}: the bridge is reachable"
        for name, trouble in troubles.items():
            (trouble.written / "stop").touch()
            home, remote = (ExactReader(bridge.socket, trouble.session) for bridge in (trouble.bridge, viewer))
            eventually(f"{name}: the reader has what the bridge has", lambda: len(home.snapshot()) > 20 and home.snapshot() == remote.snapshot())
            home.close()
            remote.close()
            print(json.dumps({"row": "trouble", "trouble": f"clock {name}", "state": trouble.bridge.hub()["state"]}), flush=True)


def secrets(fleet):
    """No password is in a log, an output, a file of a bridge, a process list or an environment of an agent."""
    for bridge in fleet.bridges.values():
        found = subprocess.run(["grep", "--recursive", "--files-with-matches", PASSWORD, bridge.home, f"{bridge.home}.out", f"{bridge.home}.err"],
                               capture_output=True, text=True, check=False).stdout
        assert not found, f"the password is in {found}"


def shown_processes(fleet):
    with Trouble(fleet, "shown") as trouble:
        eventually("ships", trouble.ships)
        command = pathlib.Path(f"/proc/{trouble.bridge.process.pid}/cmdline").read_bytes()
        assert PASSWORD.encode() not in command
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if str(trouble.written).encode() in (process / "cmdline").read_bytes() and b"agent.py" in (process / "cmdline").read_bytes():
                    agent = b"acpbridge" not in (process / "cmdline").read_bytes().split(b"\0")[0]
                    assert not agent or PASSWORD.encode() not in (process / "environ").read_bytes(), "an agent has the password"
            except OSError:
                continue
        shown = trouble.bridge.run("config", "show")
        assert PASSWORD not in shown.stdout + shown.stderr
        used = trouble.bridge.run("hub", "status", "--hub", trouble.bridge.environment["ACPBRIDGE_HUB"])
        assert used.returncode and PASSWORD not in used.stdout + used.stderr, "a password on the command line is accepted or printed"


ALL = [password, missing_schema, newer_schema, older_schema, read_only, hangs, unknown_host, restart, encryption, shown_processes, full_disk,
       clock_skew]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("programs")
    parser.add_argument("--only", type=lambda text: text.split(","), default=[])
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with Fleet(options.programs) as fleet:
        for trouble in ALL:
            if not options.only or trouble.__name__ in options.only:
                trouble(fleet)
        secrets(fleet)
    return 0


if __name__ == "__main__":
    sys.exit(main())
