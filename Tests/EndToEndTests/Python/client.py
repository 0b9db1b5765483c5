"""A client on the Python SDK's `Client` that answers every request of an agent and checks every message.

    client.py FOLDER STEP… -- COMMAND ARG…
    client.py FOLDER STEP… -- ws://HOST:PORT/acp?agent=NAME

starts the agent with the SDK's helper, or connects to it over WebSocket with the token in ACPBRIDGE_TOKEN. It opens a
session in FOLDER and runs the steps in order:

    prompt:TEXT   prompts and waits for the end of the turn
    cancel:TEXT   prompts, cancels at the turn's first message chunk, and waits for the end of the turn
    extend:NAME   sends an extension notification and an extension request
    mode:ID       sets the session's mode
    option:ID=V   sets one of the session's configuration options
    list, load    lists the agent's sessions; loads the open session
    join:ID       only as the first step: loads that session, which other clients use, instead of opening one
    queue:FILE    sends queued prompts, one after the other, until FILE exists

Prints each of the agent's requests and responses on its own line, in order. If the agent refuses a step, `refused` and
the error code are printed. Every message must match the SDK's models in every field. The exit status is 1 if a message
does not match, and the agent's exit status otherwise.
"""

import asyncio
import json
import os
import sys
from typing import Any

from acp import PROTOCOL_VERSION, Client, RequestError, connect_to_agent, schema, spawn_agent_process, text_block
from acp.connection import StreamDirection, StreamEvent
from acp.ws import create_websocket_stream
from pydantic import ValidationError

BUFFER_LIMIT_BYTES = 50 * 1024 * 1024

PARAMS = {
    "session/update": schema.SessionNotification,
    "$/cancel_request": schema.CancelRequestNotification,
    "session/request_permission": schema.RequestPermissionRequest,
    "fs/read_text_file": schema.ReadTextFileRequest,
    "fs/write_text_file": schema.WriteTextFileRequest,
    "terminal/create": schema.CreateTerminalRequest,
    "terminal/output": schema.TerminalOutputRequest,
    "terminal/wait_for_exit": schema.WaitForTerminalExitRequest,
    "terminal/kill": schema.KillTerminalRequest,
    "terminal/release": schema.ReleaseTerminalRequest,
}
RESULTS = {
    "initialize": schema.InitializeResponse,
    "session/new": schema.NewSessionResponse,
    "session/load": schema.LoadSessionResponse,
    "session/list": schema.ListSessionsResponse,
    "session/prompt": schema.PromptResponse,
    "session/set_mode": schema.SetSessionModeResponse,
    "session/set_config_option": schema.SetSessionConfigOptionResponse,
}


def say(what: str, value: Any = "") -> None:
    print(what, json.dumps(value, ensure_ascii=False) if value != "" else "", flush=True)


class Checker:
    """Checks every message of the agent against the SDK's models. The models drop unknown fields and replace bad
    values, so the parsed message is serialized again and must equal the original."""

    def __init__(self) -> None:
        self.asked: dict[Any, str] = {}
        self.complaints = 0

    def __call__(self, event: StreamEvent) -> None:
        message = event.message
        if event.direction == StreamDirection.OUTGOING:
            if "method" in message and "id" in message:
                self.asked[message["id"]] = message["method"]
        elif "method" in message:
            self.check(PARAMS, message["method"], message.get("params"))
        elif "result" in message:
            self.check(RESULTS, self.asked.pop(message["id"]), message["result"])

    def check(self, models: dict[str, Any], method: str, value: Any) -> None:
        if method.startswith("_"):
            return
        try:
            understood = models[method].model_validate(value)
            said = understood.model_dump(mode="json", by_alias=True, exclude_unset=True)
            if said == value:
                return
            complaint = f"understood as {json.dumps(said)}"
        except (KeyError, ValidationError) as error:
            complaint = repr(error)
        self.complaints += 1
        print(f"{method}: {json.dumps(value)}: {complaint}", file=sys.stderr)


class GivingClient(Client):
    def __init__(self) -> None:
        self.chunk_came = asyncio.Event()
        self.kinds: list[str] = []
        self.terminals: dict[str, asyncio.subprocess.Process] = {}

    async def session_update(self, session_id: str, update: Any, **kwargs: Any) -> None:
        # Consecutive updates of one kind are recorded once, because the number of chunks of a text can vary.
        if self.kinds[-1:] != [update.session_update]:
            self.kinds.append(update.session_update)
        if update.session_update == "agent_message_chunk":
            self.chunk_came.set()

    async def request_permission(self, session_id: str, tool_call: Any, options: list[Any], **kwargs: Any) -> Any:
        say("permission", [option.option_id for option in options])
        outcome = schema.AllowedOutcome(outcome="selected", option_id=options[0].option_id)
        return schema.RequestPermissionResponse(outcome=outcome)

    async def read_text_file(self, session_id: str, path: str, **kwargs: Any) -> Any:
        say("read", os.path.basename(path))
        if not os.path.exists(path):
            raise RequestError.resource_not_found(path)
        with open(path, encoding="utf-8", newline="") as file:
            return schema.ReadTextFileResponse(content=file.read())

    async def write_text_file(self, session_id: str, path: str, content: str, **kwargs: Any) -> Any:
        say("write", [os.path.basename(path), content])
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(content)
        return schema.WriteTextFileResponse()

    async def create_terminal(
        self, session_id: str, command: str, args: list[str] | None = None, cwd: str | None = None, **kwargs: Any
    ) -> Any:
        say("terminal", [command, *(args or [])])
        terminal = f"terminal-{len(self.terminals) + 1}"
        self.terminals[terminal] = await asyncio.create_subprocess_exec(
            command, *(args or []), cwd=cwd, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE
        )
        return schema.CreateTerminalResponse(terminal_id=terminal)

    async def wait_for_terminal_exit(self, session_id: str, terminal_id: str, **kwargs: Any) -> Any:
        return schema.WaitForTerminalExitResponse(exit_code=await self.terminals[terminal_id].wait())

    async def terminal_output(self, session_id: str, terminal_id: str, **kwargs: Any) -> Any:
        output = await self.terminals[terminal_id].stdout.read()
        return schema.TerminalOutputResponse(output=output.decode(), truncated=False)

    async def release_terminal(self, session_id: str, terminal_id: str, **kwargs: Any) -> Any:
        return schema.ReleaseTerminalResponse()

    async def kill_terminal(self, session_id: str, terminal_id: str, **kwargs: Any) -> Any:
        self.terminals[terminal_id].kill()
        return schema.KillTerminalResponse()

    async def ext_method(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        say("asked", [method, params])
        return {"answer": params}

    async def ext_notification(self, method: str, params: dict[str, Any]) -> None:
        say("told", [method, params])


class Conversation:
    def __init__(self, agent: Any, client: GivingClient, folder: str) -> None:
        self.agent, self.client, self.folder = agent, client, folder
        self.session = ""

    async def begin(self, joined: str | None) -> None:
        files = schema.FileSystemCapabilities(read_text_file=True, write_text_file=True)
        capabilities = schema.ClientCapabilities(fs=files, terminal=True)
        await self.agent.initialize(protocol_version=PROTOCOL_VERSION, client_capabilities=capabilities)
        if joined:
            self.session = joined
            await self.take("load")
        else:
            self.session = (await self.agent.new_session(cwd=self.folder, mcp_servers=[])).session_id

    async def take(self, step: str) -> None:
        name, _, value = step.partition(":")
        match name:
            case "prompt":
                await self.prompt(value)
            case "cancel":
                self.client.chunk_came.clear()
                turn = asyncio.create_task(self.prompt(value))
                await self.client.chunk_came.wait()
                await self.agent.cancel(session_id=self.session)
                await turn
            case "queue":
                while not os.path.exists(value):
                    await self.prompt("in turn", tinyvex={"queue": True})
            case "extend":
                await self.agent.ext_notification(value, {"n": 9007199254740993})
                say("extended", await self.agent.ext_method(value, {"n": 9007199254740993}))
            case "mode":
                await self.agent.set_session_mode(session_id=self.session, mode_id=value)
            case "option":
                option, _, choice = value.partition("=")
                await self.agent.set_config_option(session_id=self.session, config_id=option, value=choice)
            case "list":
                found = await self.agent.list_sessions(cwd=self.folder)
                say("listed", self.session in [session.session_id for session in found.sessions])
            case "load":
                await self.agent.load_session(cwd=self.folder, session_id=self.session, mcp_servers=[])
            case _:
                raise ValueError(step)
        say(name, self.client.kinds)
        self.client.kinds = []

    async def prompt(self, text: str, **meta: Any) -> None:
        answer = await self.agent.prompt(session_id=self.session, prompt=[text_block(text)], **meta)
        say("stopped", answer.stop_reason)


async def converse(agent: Any, client: GivingClient, folder: str, steps: list[str]) -> None:
    conversation = Conversation(agent, client, folder)
    joins = steps[0].startswith("join:")
    await conversation.begin(steps[0].removeprefix("join:") if joins else None)
    for step in steps[1:] if joins else steps:
        try:
            await conversation.take(step)
        except RequestError as error:
            say("refused", error.code)


async def main() -> int:
    end = sys.argv.index("--")
    folder, steps, command = sys.argv[1], sys.argv[2:end], sys.argv[end + 1 :]
    client, checker = GivingClient(), Checker()
    if command[0].startswith("ws"):
        token = os.environ["ACPBRIDGE_TOKEN"]
        stream = await create_websocket_stream(command[0], headers={"Authorization": f"Bearer {token}"})
        await converse(connect_to_agent(client, stream, observers=[checker]), client, folder, steps)
        await stream.close()
        return 1 if checker.complaints else 0
    async with spawn_agent_process(
        client,
        *command,
        env=os.environ,
        transport_kwargs={"stderr": None, "limit": BUFFER_LIMIT_BYTES},
        observers=[checker],
    ) as (agent, process):
        await converse(agent, client, folder, steps)
    return 1 if checker.complaints else process.returncode or 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
