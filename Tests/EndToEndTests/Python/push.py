"""Stands in for a browser and its push service: subscribes, decrypts with http-ece, and verifies the sender with py-vapid.

    push.py RECORD CERTIFICATE KEY

Prints the `PushSubscription` as JSON on a line of its own. Each request becomes one line of JSON in the file RECORD: its
header fields, the decrypted `message`, and the `claims` of the sender's token. If one of the two checks fails, the line has
the member `error`. The answer is 201, or 400 with an error.
"""

import base64
import http.server
import json
import os
import ssl
import sys

import http_ece
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from py_vapid import Vapid02

record_path, certificate, key_file = sys.argv[1:]
private_key = ec.generate_private_key(ec.SECP256R1())
secret = os.urandom(16)


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def checked(fields, body):
    authorization = fields["Authorization"]
    if not Vapid02.verify(authorization):
        raise ValueError("the token's signature is wrong")
    token = authorization.split("t=", 1)[1].split(",")[0]
    message = http_ece.decrypt(body, private_key=private_key, auth_secret=secret, version="aes128gcm")
    return {
        "message": json.loads(message),
        "claims": json.loads(decoded(token.split(".")[1])),
        "key": authorization.split("k=", 1)[1],
    }


class Service(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        entry = {"fields": {name.lower(): value for name, value in self.headers.items()}}
        try:
            entry |= checked(self.headers, body)
        except Exception as error:  # Each failure of the two libraries is one of the bridge.
            entry["error"] = f"{type(error).__name__}: {error}"
        with open(record_path, "a") as file:
            file.write(json.dumps(entry) + "\n")
        self.send_response(400 if "error" in entry else 201)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


def main():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key_file)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Service)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    point = private_key.public_key().public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    )
    subscription = {
        "endpoint": f"https://127.0.0.1:{server.server_port}/push/1",
        "keys": {"p256dh": encoded(point), "auth": encoded(secret)},
    }
    print(json.dumps(subscription), flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
