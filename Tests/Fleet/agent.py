"""An ACP agent whose updates a test can recognise. It notes each line in a file before it writes the line to its bridge.

    agent.py FOLDER

A prompt is `COUNT RATE SIZE`: so many updates, so many of them in a second, with texts of up to SIZE random bytes. After
`session/load` the numbers continue. FOLDER/SESSION has the lines of the session: `RUN NUMBER` and a random text in each. A file
FOLDER/stop ends all turns.
"""
import json
import os
import pathlib
import random
import sys
import threading
import time

folder = pathlib.Path(sys.argv[1])
output = threading.Lock()
run = f"{os.getpid()}.{time.time_ns()}"


def write(line):
    with output:
        view = memoryview(line)
        while view:
            view = view[os.write(1, view):]


def say(session, count, rate, size):
    numbers = random.Random(run)
    begin = time.monotonic()
    with open(folder / session, "ab", buffering=0) as file:
        for number in range(1, count + 1):
            if (folder / "stop").exists():
                return
            text = numbers.randbytes(numbers.randint(1, size) // 2).hex()
            update = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": f"{run} {number} {text}"}}
            line = json.dumps({"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": session, "update": update}})
            line = line.encode() + b"\n"
            file.write(line)
            write(line)
            pause = begin + number / rate - time.monotonic()
            if pause > 0:
                time.sleep(pause)


def prompt(identifier, session, words):
    say(session, *map(int, words.split()))
    answer(identifier, {"stopReason": "end_turn"})


def answer(identifier, result):
    write(json.dumps({"jsonrpc": "2.0", "id": identifier, "result": result}).encode() + b"\n")


for line in sys.stdin.buffer:
    message = json.loads(line)
    identifier, params = message.get("id"), message.get("params") or {}
    match message.get("method"):
        case "initialize":
            answer(identifier, {"protocolVersion": 1, "agentCapabilities": {"loadSession": True}})
        case "session/new":
            answer(identifier, {"sessionId": f"s-{os.getpid()}-{time.time_ns()}"})
        case "session/load":
            answer(identifier, {})
        case "session/prompt":
            words = params["prompt"][0]["text"]
            threading.Thread(target=prompt, args=(identifier, params["sessionId"], words), daemon=True).start()
        case "session/cancel" | None:
            pass
        case _:
            error = {"code": -32601, "message": "method not supported"}
            write(json.dumps({"jsonrpc": "2.0", "id": identifier, "error": error}).encode() + b"\n")
