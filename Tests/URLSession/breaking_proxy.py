#!/usr/bin/env python3
"""Forwards TCP connections to a port of this machine, and breaks each one after some bytes of the server.

Usage: breaking_proxy.py PORT BYTES. Prints its own port. The end of its standard input ends it.
"""
import asyncio
import sys


async def forward(reader, writer, limit):
    """Copies bytes until the end, or until the limit."""
    while limit > 0 and (data := await reader.read(min(65536, limit))):
        writer.write(data)
        await writer.drain()
        limit -= len(data)


async def serve(reader, writer, port, limit):
    """One connection. It ends without a close frame, and some time after its last byte. Without that time, the program
    makes no progress: probably, Foundation on Linux then drops the messages that the program has not taken yet."""
    try:
        there, back = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return writer.transport.abort()
    tasks = [asyncio.create_task(forward(reader, back, sys.maxsize)), asyncio.create_task(forward(there, writer, limit))]
    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in tasks:
        task.cancel()
    back.transport.abort()
    await asyncio.sleep(0.3)
    writer.close()


async def main():
    port, limit = int(sys.argv[1]), int(sys.argv[2])
    server = await asyncio.start_server(lambda r, w: serve(r, w, port, limit), "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


asyncio.run(main())
