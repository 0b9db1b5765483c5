"""A minimal relay: starts a command, and relays its lines to all WebSocket clients and their messages back."""

import asyncio
import sys
from asyncio.subprocess import PIPE

from websockets.asyncio.server import broadcast, serve


async def main():
    command = await asyncio.create_subprocess_exec(*sys.argv[1:], stdin=PIPE, stdout=PIPE, limit=1 << 26)
    clients = set()

    async def receive(client):
        clients.add(client)
        async for message in client:
            command.stdin.write(message.encode() + b"\n")
        clients.remove(client)

    async with serve(receive, "127.0.0.1", 0, compression=None) as server:
        print(server.sockets[0].getsockname()[1], flush=True)
        async for line in command.stdout:
            if len(clients) == 1:
                # Waits for a slow client, while `broadcast` would queue everything that the client has not read.
                await next(iter(clients)).send(line[:-1], text=True)
            else:
                broadcast(clients, line[:-1], text=True)


asyncio.run(main())
