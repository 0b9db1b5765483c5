"""A bridge with the page, and agents: what the page's tests and long runs in a browser have in common."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "color_scheme": "light"}
NARROW = {"viewport": {"width": 320, "height": 568}, "has_touch": True, "color_scheme": "light"}
WIDE = {"viewport": {"width": 1440, "height": 900}, "color_scheme": "dark"}
CHROMIUM = {"executable_path": "/usr/bin/chromium-headless-shell", "args": ["--no-sandbox"]}


class World:
    """A bridge with folders of its own, the stand-in in front of it, and agents."""

    def __init__(self, program, *options):
        self.program, self.options = str(program), options
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="page-"))
        for name in ("run", "state", "config/acpbridge/agents", "shop"):
            (self.home / name).mkdir(parents=True, mode=0o700)
        profile = {"name": "rich", "title": "Rich", "command": ["node", str(HERE / "rich-agent.js")], "env": {}}
        (self.home / "config/acpbridge/agents/rich.json").write_text(json.dumps(profile))
        # It never answers.
        silent = {"name": "silent", "title": "Silent", "command": ["cat"], "env": {}}
        (self.home / "config/acpbridge/agents/silent.json").write_text(json.dumps(silent))
        rules = {"delaySeconds": 3600, "targets": [{"name": "none", "type": "command", "command": ["true"]}]}
        (self.home / "config/acpbridge/notifications.json").write_text(json.dumps(rules))
        for path in [self.home, *self.home.rglob("*")]:
            path.chmod(0o700 if path.is_dir() else 0o600)
        self.environment = {name: value for name, value in os.environ.items() if name != "ACPBRIDGE_HOME"}
        self.environment |= {"HOME": str(self.home), "XDG_RUNTIME_DIR": str(self.home / "run"),
                             "XDG_STATE_HOME": str(self.home / "state"), "XDG_CONFIG_HOME": str(self.home / "config")}
        self.processes = []
        self.port = 0
        self.start_bridge()
        self.token = (self.home / "config/acpbridge/token").read_text().strip()
        observer = subprocess.run([self.program, "token", "create", "--role", "observe"], env=self.environment, check=True,
                                  capture_output=True, text=True).stdout.split()[0]
        self.stand_in = self.start(["node", str(HERE / "stand-in.js"), "0", str(HERE / "../../Sources/CPage/served")],
                                   BRIDGE=f"127.0.0.1:{self.port}", TOKEN=self.token, OBSERVER_TOKEN=observer)
        self.url = self.stand_in.stdout.readline().strip()

    def start(self, command, folder="shop", **more):
        process = subprocess.Popen(command, env=self.environment | more, cwd=self.home / folder, text=True,
                                   stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
        self.processes.append(process)
        return process

    def start_bridge(self):
        self.bridge = self.start([self.program, "serve", "--listen", f"127.0.0.1:{self.port}", *self.options])
        self.port = int(json.loads(self.bridge.stdout.readline())["url"].rsplit(":", 1)[1])

    @property
    def socket(self):
        """The bridge's Unix socket."""
        return self.home / "run/acpbridge/bridge.sock"

    @property
    def page_url(self):
        """The page as the bridge itself serves it."""
        return f"http://127.0.0.1:{self.port}/"

    def command(self, *words):
        """Runs a command of the bridge's program and returns its output."""
        return subprocess.run([self.program, *words], env=self.environment, check=True, capture_output=True, text=True).stdout

    def agent(self, *prompts, sessions=1, profile="rich", folder="shop"):
        """Starts an agent, which stays until the end, and prompts it in the last one of its sessions."""
        process = self.start(["node", str(HERE / "prompt.js"), f"ws://127.0.0.1:{self.port}/acp?agent={profile}", *prompts],
                             folder, TOKEN=self.token, SESSIONS=str(sessions), NODE_PATH="/usr/share/nodejs")
        return process.stdout.readline().strip()

    def close(self):
        for process in reversed(self.processes):
            process.terminate()
        for process in self.processes:
            process.wait(20)
        shutil.rmtree(self.home, ignore_errors=True)
