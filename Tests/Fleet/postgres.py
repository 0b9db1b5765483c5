"""A PostgreSQL server of a test, in a folder of its own. PostgreSQL refuses to run as root, so `postgres` runs it then."""
import os
import pathlib
import pwd
import shutil
import signal
import subprocess
import time

PROGRAMS = pathlib.Path("/usr/lib/postgresql/15/bin")
PASSWORD = "hidden-word"
PORT = 5432


class Server:
    """One server at a machine of the network. Its owner connects over a Unix socket, so no cut network concerns it."""

    def __init__(self, network, machine, folder, settings=()):
        self.network, self.machine, self.folder = network, machine, pathlib.Path(folder)
        self.address = network.add(machine)
        # Without namespaces, all servers have one address.
        self.port = PORT if network.has_namespaces else 20000 + os.getpid() % 20000 + len(network.machines)
        self.data = self.folder / "data"
        self.settings = ["listen_addresses=*", f"port={self.port}", f"unix_socket_directories={self.folder}",
                         "max_connections=400", "max_prepared_transactions=0", *settings]
        self.folder.mkdir(mode=0o755)
        self.give(self.folder)

    def give(self, path):
        if os.geteuid() == 0:
            shutil.chown(path, "postgres", "postgres")

    def command(self, program, *words):
        command = self.network.command(self.machine, [])
        if os.geteuid() == 0:
            command += ["setpriv", "--reuid", "postgres", "--regid", "postgres", "--clear-groups"]
        return [*command, str(PROGRAMS / program), *map(str, words)]

    def run(self, program, *words, check=True):
        return subprocess.run(self.command(program, *words), check=check, stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, cwd="/")

    def create(self):
        password = self.folder / "password"
        password.write_text(PASSWORD + "\n")
        password.chmod(0o644)
        self.run("initdb", "--pgdata", self.data, "--auth", "scram-sha-256", "--auth-local", "trust", "--username", "postgres",
                 "--pwfile", password, "--encoding", "UTF8", "--locale", "C.UTF-8")
        with open(self.data / "pg_hba.conf", "a", encoding="utf-8") as file:
            file.write("host replication all all scram-sha-256\nhost all all all scram-sha-256\n")
        self.start()
        self.query("CREATE DATABASE fleet", database="postgres")

    def start(self, *settings):
        options = " ".join(f"-c {setting}" for setting in [*self.settings, *settings])
        self.run("pg_ctl", "--pgdata", self.data, "--log", self.folder / "log", "--wait", "--silent", "--timeout", 300,
                 "--options", options, "start")

    def stop(self, mode="fast"):
        self.run("pg_ctl", "--pgdata", self.data, "--mode", mode, "--silent", "--timeout", 300, "stop", check=False)

    def process(self):
        return int((self.data / "postmaster.pid").read_text().split()[0])

    def processes(self):
        """The server and its children."""
        parent = self.process()
        children = pathlib.Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
        return [parent, *map(int, children)]

    def kill(self):
        """SIGKILL for all processes, as a crash of the machine would."""
        processes = self.processes()
        for process in processes:
            signal_process(process, signal.SIGKILL)
        while any(os.path.exists(f"/proc/{process}") for process in processes):
            time.sleep(0.01)
        (self.data / "postmaster.pid").unlink(missing_ok=True)

    def freeze(self):
        """The server hangs without closing a connection."""
        for process in self.processes():
            signal_process(process, signal.SIGSTOP)

    def thaw(self):
        for process in self.processes():
            signal_process(process, signal.SIGCONT)

    def copy_from(self, other, folder=None, standby=True):
        """Copies another server that runs, as its standby or as a backup."""
        folder = folder or self.data
        shutil.rmtree(folder, ignore_errors=True)
        words = ["--pgdata", folder, "--checkpoint", "fast", "--no-sync", "--wal-method", "stream",
                 "--dbname", f"host={other.address} port={other.port} user=postgres password={PASSWORD} application_name={self.machine}"]
        self.run("pg_basebackup", *words, *(["--write-recovery-conf"] if standby else []))

    def promote(self):
        self.run("pg_ctl", "--pgdata", self.data, "--wait", "--silent", "--timeout", 300, "promote")

    def query(self, sql, database="fleet", user="postgres"):
        """Each row as a text, with `|` between columns."""
        words = ["psql", "--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--host", str(self.folder), "--port", str(self.port),
                 "--username", user, "--dbname", database, "--set", "ON_ERROR_STOP=1"]
        answer = subprocess.run(words, input=sql, check=False, capture_output=True, text=True)
        if answer.returncode:
            raise RuntimeError(f"{sql[:200]}: {answer.stderr}")
        return answer.stdout.split("\n")[:-1]

    def address_of(self, user, *others, options=""):
        """The address of the hub for a user, with the other servers that can be the primary."""
        hosts = ",".join(f"{server.address}:{server.port}" for server in (self, *others))
        more = "target_session_attrs=read-write" if others else ""
        query = "&".join(part for part in (more, options) if part)
        return f"postgres://{user}:{PASSWORD}@{hosts}/fleet" + (f"?{query}" if query else "")


def signal_process(process, number):
    try:
        os.kill(process, number)
    except ProcessLookupError:
        pass


def is_possible():
    """Returns the reason why no server can be started, or nothing."""
    if not (PROGRAMS / "initdb").exists():
        return f"there is no {PROGRAMS}/initdb"
    if os.geteuid() == 0:
        try:
            pwd.getpwnam("postgres")
        except KeyError:
            return "there is no user postgres"
    return None
