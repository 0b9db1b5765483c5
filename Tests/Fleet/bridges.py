"""Bridges of a test, and editors that use an agent through them."""
import json
import os
import pathlib
import signal
import subprocess
import threading
import time

from client import Connection, stamps

PATIENCE = 300


def eventually(what, condition, patience=PATIENCE, pause=0.1):
    """Repeats the condition until it returns something true, and returns that. `what` is a text, or returns one."""
    end = time.monotonic() + patience
    while True:
        found = condition()
        if found:
            return found
        if time.monotonic() > end:
            raise AssertionError(what() if callable(what) else what)
        time.sleep(pause)


class Bridge:
    """`acpbridge serve` at a machine of the network, with a home folder of its own."""

    def __init__(self, programs, network, machine, folder, hub=None, options=(), environment=None):
        self.program = str(pathlib.Path(programs) / "acpbridge")
        self.network, self.machine, self.options = network, machine, list(options)
        self.home = pathlib.Path(folder)
        self.home.mkdir(mode=0o700, exist_ok=True)
        self.socket = str(self.home / "run/bridge.sock")
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(("ACPBRIDGE_", "PG"))}
        self.environment = inherited | {"ACPBRIDGE_HOME": str(self.home), "HOME": str(self.home), "SWIFT_BACKTRACE": "enable=no"}
        self.environment |= environment or {}
        if hub:
            self.environment["ACPBRIDGE_HUB"] = hub
        self.process = None

    def start(self):
        command = self.network.command(self.machine, [self.program, "serve", "--no-tcp", "--log-level", "info", *self.options])
        with open(f"{self.home}.out", "ab") as out, open(f"{self.home}.err", "ab") as err:
            self.process = subprocess.Popen(command, env=self.environment, stdin=subprocess.DEVNULL, stdout=out, stderr=err)
        # `ip netns exec` becomes the program, so the number of the process is the bridge's.
        eventually(f"bridge {self.machine} starts", self.status)

    def status(self):
        """The value of `bridge:status`, or nothing."""
        try:
            with Connection(self.socket, timeout=10) as connection:
                status = connection.query("bridge:status")
        except (OSError, ConnectionError):
            return None
        return status if self.process and status.get("pid") == self.process.pid else None

    def hub(self):
        return (self.status() or {}).get("hub", {})

    def is_current(self):
        return self.hub().get("state") == "current"

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                self.kill()

    def run(self, *words, **more):
        command = self.network.command(self.machine, [self.program, *words])
        return subprocess.run(command, env=self.environment, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, check=False, **more)

    def log_lines(self, word):
        """The lines of the bridge's own log with this word."""
        path = pathlib.Path(f"{self.home}.err")
        return [line for line in path.read_text(errors="replace").split("\n") if word in line] if path.exists() else []

    # Resources

    def memory(self):
        """The bridge's own memory in KiB, without the pages of files."""
        text = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(text.split("RssAnon:")[1].split()[0])

    def processor_seconds(self):
        """The processor time of each thread, by its name."""
        seconds = {}
        for task in pathlib.Path(f"/proc/{self.process.pid}/task").iterdir():
            try:
                stat = (task / "stat").read_text()
                schedule = (task / "schedstat").read_text()
            except OSError:
                continue
            name = stat[stat.index("(") + 1:stat.rindex(")")]
            seconds[name] = seconds.get(name, 0) + int(schedule.split()[0]) / 1e9
        return seconds


class Editor:
    """Uses an agent through a bridge, as an editor does. It reads everything, and notes the age of stamped updates."""

    def __init__(self, bridge, agent):
        self.process = subprocess.Popen([bridge.program, "--", *map(str, agent)], env=bridge.environment, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.answers, self.next, self.ages = {}, 0, []
        self.received = 0
        self.changed = threading.Condition()
        threading.Thread(target=self.read, daemon=True).start()
        self.call("initialize", protocolVersion=1, clientCapabilities={})

    def read(self):
        rest = b""
        while chunk := os.read(self.process.stdout.fileno(), 1 << 18):
            now = time.monotonic_ns()
            rest += chunk
            *lines, rest = rest.split(b"\n")
            for line in lines:
                if b'"method":"session/update"' in line[:80] or b'"method": "session/update"' in line[:80]:
                    self.received += 1
                    self.ages += [now - stamp for stamp in stamps(line)]
                    continue
                message = json.loads(line)
                if "id" in message and "method" not in message:
                    with self.changed:
                        self.answers[message["id"]] = message
                        self.changed.notify_all()
        with self.changed:
            self.answers["end"] = {}
            self.changed.notify_all()

    def send(self, method, **params):
        self.next += 1
        message = {"jsonrpc": "2.0", "id": self.next, "method": method, "params": params}
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()
        return self.next

    def wait(self, number, timeout=PATIENCE):
        with self.changed:
            self.changed.wait_for(lambda: number in self.answers or "end" in self.answers, timeout)
            answer = self.answers.get(number)
        if not answer or "result" not in answer:
            raise ConnectionError(f"the agent answered {answer}")
        return answer["result"]

    def call(self, method, **params):
        return self.wait(self.send(method, **params))

    def new_session(self):
        return self.call("session/new", cwd="/", mcpServers=[])["sessionId"]

    def prompt(self, session, text):
        """Begins a turn, and returns its number for `wait`."""
        return self.send("session/prompt", sessionId=session, prompt=[{"type": "text", "text": text}])

    def close(self):
        try:
            self.process.stdin.close()
            self.process.wait(20)
        except (OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
