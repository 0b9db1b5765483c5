"""A hub with bridges and viewer nodes, for a test."""
import contextlib
import os
import pathlib
import shutil
import subprocess
import tempfile

from bridges import Bridge, eventually
from client import Connection
from network import Network
from postgres import Server


class Fleet:
    """PostgreSQL and bridges, each at a machine of its own. Everything ends with the `with` statement."""

    def __init__(self, programs, settings=(), standby=False):
        self.programs = pathlib.Path(programs).resolve()
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="acpb.", dir="/tmp"))
        self.folder.chmod(0o755)
        self.network = Network(f"acpb{os.getpid()}")
        self.closing = contextlib.ExitStack()
        self.closing.callback(shutil.rmtree, self.folder, ignore_errors=True)
        self.closing.callback(self.network.close)
        self.primary = self.server("db", settings)
        self.primary.create()
        self.standby = self.server("db2", settings) if standby else None
        self.bridges = {}
        self.hub_command("init")
        self.primary.query("CREATE ROLE viewer LOGIN PASSWORD 'hidden-word' IN ROLE acpbridge_view")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.closing.close()

    def server(self, machine, settings):
        server = Server(self.network, machine, self.folder / machine, settings)
        self.closing.callback(server.stop, "immediate")
        return server

    def hub_command(self, *words):
        """`acpbridge hub` as the owner of the tables."""
        command = self.network.command(self.primary.machine, [str(self.programs / "acpbridge"), "hub", *words])
        environment = os.environ | {"ACPBRIDGE_HUB": self.primary.address_of("postgres"), "ACPBRIDGE_HOME": str(self.folder / "owner")}
        return subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True).stdout

    def address(self, user):
        others = [self.standby] if self.standby else []
        return self.primary.address_of(user, *others)

    def add_bridge(self, name, *options, hub=True):
        self.network.add(name)
        if hub:
            self.primary.query(f"CREATE ROLE {name} LOGIN PASSWORD 'hidden-word' IN ROLE acpbridge_ship")
        bridge = Bridge(self.programs, self.network, name, self.folder / name, self.address(name) if hub else None,
                        options=options)
        return self.begin(bridge)

    def add_viewer(self, name, *options):
        self.network.add(name)
        bridge = Bridge(self.programs, self.network, name, self.folder / name, self.address("viewer"),
                        options=["--hub-role", "serve", "--no-agents", *options])
        return self.begin(bridge)

    def begin(self, bridge):
        self.bridges[bridge.machine] = bridge
        self.closing.callback(bridge.stop)
        bridge.start()
        return bridge


def journals(bridge):
    """The journal of each session that a bridge lists, by its id."""
    with Connection(bridge.socket) as connection:
        rows = connection.call("tinyvex/history.recentSessions", limit=10_000)
    return {row["sessionId"]: row["journal"] for row in rows}


__all__ = ["Fleet", "eventually", "journals"]
