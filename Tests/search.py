#!/usr/bin/env python3
"""Measures `sessions:search` with many updates and several tenants, and prints a table of times.

    search.py PROGRAM [--updates N]
    search.py PROGRAM --delay

PROGRAM is an acpbridge of a release build. N is 5,000,000 by default, which takes some minutes and 1.2 GB of the folder
for temporary files. The updates have five words each, of 40,000 different words with natural frequencies. Nine tenths
belong to the tenant `large`, a tenth to `small`; the sessions of `small` are in between.

With --delay, an agent writes one update in each second, then another one 1,000. The table has the times from the moment at
which an agent wrote a new word to the end of the first `acpbridge search WORD` that found it, and the processor time that
the bridge used in each second.

Needs `ws` for Node.js, as the page's tests do. Nothing is asserted: times depend on the machine.
"""
import argparse
import base64
import hashlib
import hmac
import itertools
import json
import os
import pathlib
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

HERE = pathlib.Path(__file__).resolve()
WORDS = 40_000
SESSIONS = 20
# The tenth and the last session of twenty: the small tenant has old and new texts.
SMALL = (9, 19)
RUNS = 9
# Words that are searched for at each rate, and updates in each second.
SAMPLES = 20
RATES = (1, 1000)


CHUNK = ('{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"%s","update":{"sessionUpdate":"agent_message_chunk",'
         '"messageId":"m%d","content":{"type":"text","text":"%s "}}}}\n')


def serve_agent(updates):
    """An ACP agent. Its answer to the prompts `small` and `large` has `updates` chunks; only `small` says `onlysmall`, only
    `large` says `onlylarge`. Its answer to `at RATE` does not end."""
    weights = list(itertools.accumulate(1 / rank for rank in range(1, WORDS + 1)))
    numbers = random.Random(os.getpid())
    for line in sys.stdin:
        message = json.loads(line)
        answer = {"jsonrpc": "2.0", "id": message.get("id")}
        if message.get("method") == "initialize":
            answer["result"] = {"protocolVersion": 1, "agentCapabilities": {}}
        elif message.get("method") == "session/new":
            answer["result"] = {"sessionId": f"s{os.getpid()}"}
        elif message.get("method") == "session/prompt":
            text = message["params"]["prompt"][0]["text"]
            if text.startswith("at "):
                say_steadily(message["params"]["sessionId"], int(text[3:]), weights, numbers)
            say(message["params"], updates, weights, numbers)
            answer["result"] = {"stopReason": "end_turn"}
        else:
            continue
        print(json.dumps(answer), flush=True)


def say(params, updates, weights, numbers):
    own = f"only{params['prompt'][0]['text']}"
    for start in range(0, updates, 1000):
        count = min(1000, updates - start)
        ranks = numbers.choices(range(1, WORDS + 1), cum_weights=weights, k=5 * count)
        lines = []
        for number in range(count):
            words = " ".join(f"w{rank}" for rank in ranks[5 * number:5 * number + 5])
            text = f"{own} {words}" if number % 10 == 0 else words
            lines.append(CHUNK % (params["sessionId"], (start + number) // 40, text))
        sys.stdout.write("".join(lines))


def say_steadily(session, rate, weights, numbers):
    """Writes `rate` chunks in each second, in messages of 400. About once a second a chunk has a new word, which is appended
    to the file `marks` with the time after the chunk was written."""
    batch, written, began = max(1, rate // 100), 0, time.monotonic()
    marks = open(pathlib.Path(os.environ["HOME"]) / "marks", "a", buffering=1)
    for number in itertools.count():
        words = [f"w{rank}" for rank in numbers.choices(range(1, WORDS + 1), cum_weights=weights, k=5)]
        word = f"mark{os.getpid()}x{number}" if number % rate == rate // 2 else None
        sys.stdout.write(CHUNK % (session, number // 400, " ".join([word, *words] if word else words)))
        written += 1
        if word:
            sys.stdout.flush()
            marks.write(f"{word} {time.time()}\n")
        if written % batch == 0:
            sys.stdout.flush()
            time.sleep(max(0, began + written / rate - time.monotonic()))


class Bridge:
    def __init__(self, program, updates):
        self.program = str(program)
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="search-"))
        for name in ("run", "state", "config/acpbridge/agents"):
            (self.home / name).mkdir(parents=True, mode=0o700)
        self.secret = os.urandom(32).hex()
        command = [sys.executable, str(HERE), "--agent", str(updates)]
        self.write("config/acpbridge/agents/words.json", json.dumps({"name": "words", "title": "Words", "command": command, "env": {}}))
        self.write("secret", self.secret)
        for path in self.home.rglob("*"):
            path.chmod(0o700 if path.is_dir() else 0o600)
        self.environment = {name: value for name, value in os.environ.items() if name != "ACPBRIDGE_HOME"}
        self.environment |= {"HOME": str(self.home), "XDG_RUNTIME_DIR": str(self.home / "run"),
                             "XDG_STATE_HOME": str(self.home / "state"), "XDG_CONFIG_HOME": str(self.home / "config")}
        options = ["--listen", "127.0.0.1:0", "--jwt-key", str(self.home / "secret"), "--jwt-audience", "search"]
        self.process = subprocess.Popen([self.program, "serve", *options], env=self.environment, text=True,
                                        stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
        self.port = int(json.loads(self.process.stdout.readline())["url"].rsplit(":", 1)[1])
        self.admin = (self.home / "config/acpbridge/token").read_text().strip()

    def write(self, name, text):
        (self.home / name).write_text(text)

    def token(self, tenant):
        """A token of a tenant; None for the administrator's, which sees all sessions."""
        if tenant is None:
            return self.admin
        claims = {"aud": "search", "exp": int(time.time()) + 86_400, "sub": "search", "tenant": tenant, "role": "control"}
        parts = [encoded(json.dumps(part).encode()) for part in ({"alg": "HS256", "typ": "JWT"}, claims)]
        # The bridge takes the file's bytes for the secret.
        signature = hmac.new(self.secret.encode(), ".".join(parts).encode(), hashlib.sha256).digest()
        return ".".join([*parts, encoded(signature)])

    def write_session(self, tenant):
        """Starts an agent for the tenant, waits for its answer, and ends it."""
        command = ["node", str(HERE.parent / "Page/prompt.js"), f"ws://127.0.0.1:{self.port}/acp?agent=words", tenant]
        environment = self.environment | {"TOKEN": self.token(tenant), "EXIT": "1", "NODE_PATH": "/usr/share/nodejs"}
        subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)

    def write_steadily(self, rate):
        """Starts an agent that writes until the bridge ends."""
        command = ["node", str(HERE.parent / "Page/prompt.js"), f"ws://127.0.0.1:{self.port}/acp?agent=words", f"at {rate}"]
        environment = self.environment | {"TOKEN": self.admin, "NODE_PATH": "/usr/share/nodejs"}
        return subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)

    def finds(self, word):
        """Whether `acpbridge search` finds the word."""
        output = subprocess.run([self.program, "search", "--json", word], env=self.environment, capture_output=True).stdout
        return word.encode() in output

    def processor_seconds(self):
        """The processor time that the bridge has used, without its agents."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def status(self):
        output = subprocess.run([self.program, "search", "--status", "--json"], env=self.environment, check=True, capture_output=True).stdout
        return json.loads(output)

    def search(self, tenant, **args):
        """Returns the seconds and the number of hits of the first page."""
        body = json.dumps({"path": "sessions:search", "args": args}).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/api/query", body,
                                         {"Authorization": f"Bearer {self.token(tenant)}", "Content-Type": "application/json"})
        began = time.perf_counter()
        with urllib.request.urlopen(request) as response:
            answer = json.load(response)
        seconds = time.perf_counter() - began
        assert answer["status"] == "success", answer
        return seconds, len(answer["value"]["data"])

    def close(self):
        self.process.terminate()
        self.process.wait(60)
        shutil.rmtree(self.home, ignore_errors=True)


def encoded(part):
    return base64.urlsafe_b64encode(part).rstrip(b"=").decode()


def measure(bridge, updates):
    began = time.monotonic()
    for number in range(SESSIONS):
        bridge.write_session("small" if number in SMALL else "large")
    written = time.monotonic() - began
    # The index begins seconds after the last update.
    while (status := bridge.status())["state"] != "current" or status["done"] < updates:
        time.sleep(1)
    log = sum(path.stat().st_size for path in (bridge.home / "state/acpbridge").glob("sessions.db*"))
    print(f"{updates:,} updates written in {written:.0f} s, indexed {time.monotonic() - began - written:.0f} s later; "
          f"log {log / 1e6:.0f} MB, index {status['bytes'] / 1e6:.0f} MB, {status['documents']:,} texts", flush=True)
    print("\n| query | tenant | filter | hits | median | longest |\n|---|---|---|--:|--:|--:|")
    queries = ["w1", "w39999", "w1 w2", '"w1 w2"', "onlysmall", "onlylarge", "onlylarge w1"]
    for query, tenant, more in itertools.product(queries, (None, "large", "small"), ({}, {"agent": "words"})):
        results = [bridge.search(tenant, query=query, **more) for _ in range(RUNS)]
        times = [seconds * 1000 for seconds, _ in results]
        print(f"| `{query}` | {tenant or 'all'} | {'agent' if more else '–'} | {results[0][1]} | {statistics.median(times):.1f} ms "
              f"| {max(times):.1f} ms |", flush=True)


def measure_delay(bridge):
    print("| updates/s | median | 95 % | longest | processor |\n|--:|--:|--:|--:|--:|")
    for rate in RATES:
        marks = bridge.home / "marks"
        marks.write_text("")
        client = bridge.write_steadily(rate)
        delays, last = [], ""
        began, used = time.monotonic(), bridge.processor_seconds()
        while len(delays) < SAMPLES:
            # The last line can be incomplete.
            lines = marks.read_text().split("\n")[:-1]
            if not lines or lines[-1] == last:
                # Different moments of the index's interval are measured.
                time.sleep(random.uniform(0.001, 0.05))
                continue
            last = lines[-1]
            word, written = last.split()
            while not bridge.finds(word):
                pass
            delays.append(time.time() - float(written))
        share = (bridge.processor_seconds() - used) / (time.monotonic() - began)
        delays.sort()
        print(f"| {rate:,} | {statistics.median(delays):.2f} s | {delays[SAMPLES * 19 // 20 - 1]:.2f} s | {delays[-1]:.2f} s "
              f"| {100 * share:.0f} % |", flush=True)
        client.terminate()
        client.wait(20)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", nargs="?", type=pathlib.Path)
    parser.add_argument("--updates", type=int, default=5_000_000)
    parser.add_argument("--delay", action="store_true", help="measure how soon new text is found")
    parser.add_argument("--agent", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.agent is not None:
        return serve_agent(options.agent)
    if options.program is None:
        parser.error("PROGRAM is missing")
    bridge = Bridge(options.program.resolve(), options.updates // SESSIONS)
    try:
        if options.delay:
            measure_delay(bridge)
        else:
            measure(bridge, options.updates)
    finally:
        bridge.close()


main()
