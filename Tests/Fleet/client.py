"""A client of a bridge: WebSocket and tinyvex with Python's own library only."""
import base64
import json
import os
import re
import socket
import struct
import threading
import time

# `acpbridge-bench agent` writes the time of each update at the start of its text: nanoseconds of the monotonic clock.
STAMP = re.compile(rb'"text":"([0-9a-f]{16})a')
STAMP_ROOM = 400
# Nanoseconds.
PONG_PAUSE = 10_000_000_000


def stamps(chunk):
    return [int(digits, 16) for digits in STAMP.findall(chunk)]


def percentile(values, percent):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))] if ordered else 0


class Connection:
    """One WebSocket to `/tinyvex` over the Unix socket of a bridge."""

    def __init__(self, path, timeout=60):
        self.next, self.rest, self.early = 0, b"", []
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(timeout)
        try:
            self.socket.connect(path)
            key = base64.b64encode(os.urandom(16)).decode()
            self.socket.sendall(f"GET /tinyvex HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                                f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
            while b"\r\n\r\n" not in self.rest:
                self.fill()
            head, self.rest = self.rest.split(b"\r\n\r\n", 1)
            if b" 101 " not in head.split(b"\r\n")[0]:
                raise ConnectionError(head.decode(errors="replace"))
        except BaseException:
            self.socket.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.socket.close()

    def fill(self):
        chunk = self.socket.recv(1 << 18)
        if not chunk:
            raise ConnectionError("the bridge closed the connection")
        self.rest += chunk

    def send(self, payload, opcode=1):
        mask = b"\x5b\xad\xc0\xde"
        size = len(payload)
        head = bytes([0x80 | opcode]) + (bytes([0x80 | size]) if size < 126 else
                                         b"\xfe" + struct.pack(">H", size) if size < 65536 else b"\xff" + struct.pack(">Q", size))
        masked = bytes(byte ^ mask[index & 3] for index, byte in enumerate(payload))
        self.socket.sendall(head + mask + masked)

    def message(self):
        """The next text message. Pings are answered."""
        while True:
            frame = self.frame()
            if frame is None:
                self.fill()
                continue
            opcode, payload = frame
            if opcode == 1:
                return payload
            if opcode == 8:
                raise ConnectionError(f"closed with {payload!r}")
            if opcode == 9:
                self.send(payload, opcode=10)

    def frame(self):
        data = self.rest
        if len(data) < 2:
            return None
        size, begin = data[1] & 127, 2
        if size == 126:
            if len(data) < 4:
                return None
            size, begin = struct.unpack_from(">H", data, 2)[0], 4
        elif size == 127:
            if len(data) < 10:
                return None
            size, begin = struct.unpack_from(">Q", data, 2)[0], 10
        if len(data) < begin + size:
            return None
        self.rest = data[begin + size:]
        return data[0] & 15, data[begin:begin + size]

    def call(self, method, **params):
        """Returns the result. Notifications that come before it are kept for `update`."""
        self.next += 1
        self.send(json.dumps({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params}).encode())
        while True:
            payload = self.message()
            if payload.startswith(b'{"jsonrpc":"2.0","id":'):
                message = json.loads(payload)
                if message["id"] == self.next:
                    if "error" in message:
                        raise Refused(message["error"])
                    return message["result"]
            self.early.append(payload)

    def query(self, name, **params):
        """The present value of a query."""
        self.call("tinyvex/subscribe", subId=name, name=name, params=params)
        while True:
            message = json.loads(self.early.pop(0) if self.early else self.message())
            if message.get("method") == "tinyvex/data":
                return message["params"]["value"]

    def subscribe(self, session, journal=None, last=None):
        position = {} if last is None else {"lastSeq": last}
        if journal and last is not None:
            position["journal"] = journal
        params = {"sessionId": session} | ({"journal": journal} if journal else {})
        return self.call("tinyvex/subscribe", subId=session, name="acp:sessionUpdates", params=params, **position)


class Refused(Exception):
    def __init__(self, error):
        super().__init__(json.dumps(error))
        self.code = error.get("data", {}).get("code")


class AgeReader:
    """Follows sessions on one connection, and notes the age of each update when it arrives."""

    def __init__(self, path, sessions):
        self.connection = Connection(path)
        for session, journal in sessions:
            self.connection.subscribe(session, journal)
        self.ages, self.count = [], 0
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        rest, last_pong = b"", time.monotonic_ns()
        self.connection.socket.settimeout(None)
        try:
            while chunk := self.connection.socket.recv(1 << 18):
                now = time.monotonic_ns()
                # Pings are not looked for. A bridge that hears nothing for 120 s closes the connection.
                if now - last_pong > PONG_PAUSE:
                    last_pong = now
                    self.connection.send(b"", opcode=10)
                rest += chunk
                end = 0
                for found in STAMP.finditer(rest):
                    self.ages.append(now - int(found[1], 16))
                    self.count += 1
                    end = found.end()
                rest = rest[max(end, len(rest) - STAMP_ROOM):]
        except OSError:
            pass

    def close(self):
        self.connection.socket.shutdown(socket.SHUT_RDWR)


class ExactReader:
    """Follows a session over lost connections, as tinyvex.md describes a client. Keeps all its updates."""

    def __init__(self, path, session, journal=None):
        self.path, self.session, self.journal = path, session, journal
        self.updates, self.dropped, self.resumed, self.problem = [], 0, 0, None
        # The reader has got what no reader may get.
        self.fault = None
        self.is_closed = False
        self.lock = threading.Lock()
        threading.Thread(target=self.follow, daemon=True).start()

    def follow(self):
        while not self.is_closed:
            try:
                with Connection(self.path, timeout=None) as connection:
                    self.begin(connection)
                    while not self.is_closed:
                        self.handle(connection.early.pop(0) if connection.early else connection.message())
            except (OSError, ConnectionError, Refused) as error:
                self.problem = str(error)
                time.sleep(0.3)
            except AssertionError as error:
                self.fault = error
                return

    def begin(self, connection):
        answer = connection.subscribe(self.session, self.journal, len(self.updates))
        with self.lock:
            if not answer["resumed"]:
                self.dropped += len(self.updates) - (answer["startSeq"] - 1)
                del self.updates[answer["startSeq"] - 1:]
            if len(self.updates) != answer["startSeq"] - 1:
                raise AssertionError(f"{self.session}: the stream begins at {answer['startSeq']} after {len(self.updates)} updates")
            self.journal = answer["journal"]
            self.resumed += 1
            self.problem = None

    def handle(self, payload):
        if b'"session/update"' in payload[:60]:
            with self.lock:
                self.updates.append(payload)
            return
        message = json.loads(payload)
        if message.get("method") == "tinyvex/skipped":
            raise AssertionError(f"{self.session}: {payload.decode()}")
        if message.get("method") == "tinyvex/error" and message["params"]["code"] == "TVX008":
            raise ConnectionError(payload.decode())

    def snapshot(self):
        if self.fault:
            raise self.fault
        with self.lock:
            return list(self.updates)

    def close(self):
        self.is_closed = True
