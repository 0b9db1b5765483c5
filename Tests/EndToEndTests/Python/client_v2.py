"""A client on the Python SDK's `Client` of ACP version 2 (alpha.5), which checks every message by the SDK's models.

    client_v2.py FOLDER STEP… -- COMMAND ARG…

starts the agent, opens a session in FOLDER and runs the steps in order:

    prompt:TEXT   prompts and waits until the session is idle again
    cancel:TEXT   prompts, cancels at the turn's first message chunk, and waits until the session is idle
    await:FILE    waits until FILE exists

Prints each of the agent's requests, the message ids of the prompts and the ends of the turns, in order. The exit status
is the agent's.
"""

import asyncio
import json
import os
import sys
from typing import Any

from acp.experimental.v2 import PROTOCOL_VERSION, Client, ClientSideConnection, connect_to_agent, schema

BUFFER_LIMIT_BYTES = 50 * 1024 * 1024


def say(what: str, value: Any) -> None:
    print(what, json.dumps(value, ensure_ascii=False), flush=True)


class WatchingClient(Client):
    def __init__(self) -> None:
        self.chunk_came = asyncio.Event()
        self.is_idle = asyncio.Event()
        self.kinds: list[str] = []
        self.stop_reason: str | None = None
        self.session = ""

    async def session_update(self, session_id: str, update: Any, **kwargs: Any) -> None:
        # The updates of child sessions say nothing about the turn.
        if self.session and session_id != self.session:
            return
        kind = update.session_update
        # Consecutive updates of one kind are recorded once, because the number of chunks of a text can vary.
        if self.kinds[-1:] != [kind]:
            self.kinds.append(kind)
        if kind == "agent_message_chunk":
            self.chunk_came.set()
        if kind == "state_update":
            if update.state == "idle":
                self.stop_reason = update.stop_reason
                self.is_idle.set()
            else:
                self.is_idle.clear()

    async def request_permission(
        self, session_id: str, title: str, options: list[schema.PermissionOption], **kwargs: Any
    ) -> schema.RequestPermissionResponse:
        say("permission", [title, [option.option_id for option in options]])
        outcome = {"outcome": "selected", "optionId": options[0].option_id}
        return schema.RequestPermissionResponse.model_validate({"outcome": outcome})

    async def create_elicitation(self, message: str, mode: str, **kwargs: Any) -> schema.AcceptElicitationResponse:
        say("asked", [message, mode])
        return schema.AcceptElicitationResponse.model_validate({"action": "accept", "content": {"name": "Ada"}})


async def prompt(agent: ClientSideConnection, client: WatchingClient, session: str, text: str, cancels: bool) -> None:
    client.kinds = []
    client.chunk_came.clear()
    client.is_idle.clear()
    content = schema.TextContentBlock(type="text", text=text)
    answer = await agent.prompt(session_id=session, prompt=[content])
    if cancels:
        await client.chunk_came.wait()
        await agent.cancel_session(session_id=session)
    await client.is_idle.wait()
    say("inserted", bool(answer.message_id))
    say("idle", [client.stop_reason, client.kinds])


async def converse(agent: ClientSideConnection, client: WatchingClient, folder: str, steps: list[str]) -> None:
    info = schema.Implementation(name="watching-client", version="1")
    capabilities = schema.ClientCapabilities.model_validate({"elicitation": {"form": {}}})
    await agent.initialize(PROTOCOL_VERSION, info, capabilities)
    session = client.session = (await agent.new_session(cwd=folder)).session_id
    for step in steps:
        name, _, value = step.partition(":")
        match name:
            case "prompt":
                await prompt(agent, client, session, value, cancels=False)
            case "cancel":
                await prompt(agent, client, session, value, cancels=True)
            case "await":
                while not os.path.exists(value):
                    await asyncio.sleep(0.05)
            case _:
                raise ValueError(step)


async def main() -> int:
    end = sys.argv.index("--")
    folder, steps, command = sys.argv[1], sys.argv[2:end], sys.argv[end + 1 :]
    process = await asyncio.create_subprocess_exec(
        *command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, limit=BUFFER_LIMIT_BYTES
    )
    client = WatchingClient()
    agent = connect_to_agent(client, process.stdin, process.stdout)
    await converse(agent, client, folder, steps)
    process.stdin.close()
    status = await process.wait()
    await agent.close()
    return status


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
