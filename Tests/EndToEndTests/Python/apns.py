"""Stands in for Apple's push service: HTTP/2 without TLS, with prior knowledge.

    apns.py RECORD ANSWER...

Prints its port on a line of its own. The n-th ANSWER is for the n-th request: `200`, or `410:Unregistered`, or
`429::1`, which has `Retry-After: 1`. Later requests get 200. Each request becomes one line of JSON in the file RECORD:
the number of its connection, its header fields and its body.
"""

import json
import socket
import sys
import threading

import h2.config
import h2.connection
import h2.events

record_path, answers = sys.argv[1], sys.argv[2:]
lock = threading.Lock()


def next_answer():
    with lock:
        return answers.pop(0) if answers else "200"


def record(entry):
    with lock, open(record_path, "a") as file:
        file.write(json.dumps(entry) + "\n")


def respond(connection, stream, answer):
    status, reason, retry = (answer + "::").split(":")[:3]
    fields = [(":status", status)]
    if retry:
        fields.append(("retry-after", retry))
    body = json.dumps({"reason": reason}).encode() if reason else b""
    connection.send_headers(stream, fields, end_stream=not body)
    if body:
        connection.send_data(stream, body, end_stream=True)


def serve(number, peer):
    connection = h2.connection.H2Connection(config=h2.config.H2Configuration(client_side=False))
    connection.initiate_connection()
    peer.sendall(connection.data_to_send())
    requests = {}
    while data := peer.recv(65536):
        for event in connection.receive_data(data):
            if isinstance(event, h2.events.RequestReceived):
                fields = {
                    (name.decode() if isinstance(name, bytes) else name):
                    (value.decode() if isinstance(value, bytes) else value)
                    for name, value in event.headers
                }
                requests[event.stream_id] = {"connection": number, "fields": fields, "body": ""}
            elif isinstance(event, h2.events.DataReceived):
                requests[event.stream_id]["body"] += event.data.decode()
                connection.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
            elif isinstance(event, h2.events.StreamEnded):
                record(requests.pop(event.stream_id))
                respond(connection, event.stream_id, next_answer())
        peer.sendall(connection.data_to_send())


def main():
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    number = 0
    while True:
        peer, _ = listener.accept()
        number += 1
        threading.Thread(target=serve, args=(number, peer), daemon=True).start()


if __name__ == "__main__":
    main()
