"""An agent on the Python SDK's `Agent` of ACP version 2 (alpha.5), with every kind of update and request that it knows.

Its output is the same in every run, so two conversations with it can be compared byte for byte.

The prompt's first word selects the action: `work`, `ask` or `wait`. Any other prompt is echoed. Each prompt is answered
when its message is inserted, and the turn ends with an idle `state_update`.
"""

import asyncio
import base64
from typing import Any

from acp.connection import StreamDirection, StreamEvent
from acp.experimental.v2 import PROTOCOL_VERSION, Agent, AgentSideConnection, run_agent, schema


class Version2Agent(Agent):
    client: AgentSideConnection

    def __init__(self) -> None:
        self.sessions = 0
        self.messages = 0
        self.cancelled: dict[str, asyncio.Event] = {}
        self.turns: set[asyncio.Task[None]] = set()
        self.answered: dict[str, asyncio.Event] = {}

    def on_connect(self, conn: AgentSideConnection) -> None:
        self.client = conn

    async def initialize(self, protocol_version: int, **kwargs: Any) -> schema.InitializeResponse:
        return schema.InitializeResponse.model_validate({
            "protocolVersion": PROTOCOL_VERSION,
            "info": {"name": "version-2-agent", "version": "1"},
            "capabilities": {"session": {"prompt": {"image": {}}}},
            "authMethods": [],
        })

    async def new_session(self, cwd: str, **kwargs: Any) -> schema.NewSessionResponse:
        self.sessions += 1
        session = f"session-{self.sessions}"
        self.cancelled[session] = asyncio.Event()
        return schema.NewSessionResponse.model_validate({"sessionId": session, "configOptions": []})

    async def prompt(self, session_id: str, prompt: list[Any], **kwargs: Any) -> schema.PromptResponse:
        self.messages += 1
        message = f"u{self.messages}"
        blocks = [block.model_dump(mode="json", by_alias=True, exclude_unset=True) for block in prompt]
        await self.show(session_id, sessionUpdate="user_message", messageId=message, content=blocks)
        await self.show(session_id, sessionUpdate="state_update", state="running")
        self.answered[message] = asyncio.Event()
        turn = asyncio.create_task(self.turn(session_id, prompt[0].text, self.answered[message]))
        self.turns.add(turn)
        turn.add_done_callback(self.turns.discard)
        return schema.PromptResponse.model_validate({"messageId": message})

    async def cancel_session(self, session_id: str, **kwargs: Any) -> None:
        self.cancelled[session_id].set()

    def observe(self, event: StreamEvent) -> None:
        """Lets a turn continue after the answer to its prompt was written, so that the order is always the same."""
        result = event.message.get("result") if event.direction == StreamDirection.OUTGOING else None
        if isinstance(result, dict) and result.get("messageId") in self.answered:
            self.answered[result["messageId"]].set()

    async def turn(self, session: str, text: str, answered: asyncio.Event) -> None:
        await answered.wait()
        reason = "end_turn"
        match text.split()[0]:
            case "work":
                await self.work(session)
            case "ask":
                await self.ask(session)
            case "wait":
                reason = await self.wait(session)
            case _:
                await self.say(session, text)
        await self.show(session, sessionUpdate="state_update", state="idle", stopReason=reason)

    async def wait(self, session: str) -> str:
        self.cancelled[session].clear()
        await self.say(session, "Waiting.")
        await self.cancelled[session].wait()
        await self.say(session, "Stopping.")
        return "cancelled"

    async def ask(self, session: str) -> None:
        form = schema.ElicitationSchema.model_validate(
            {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
        )
        answer = await self.client.create_elicitation(
            "What is your name?", "form", session_id=session, requested_schema=form
        )
        await self.say(session, answer.model_dump_json(by_alias=True, exclude_unset=True))

    async def work(self, session: str) -> None:
        output = "running 3 tests\r\nGröße: 3 €\r\n".encode()
        await self.show(session, sessionUpdate="terminal_update", terminalId="t1", command="make test", cwd="/")
        await self.show(
            session,
            sessionUpdate="tool_call_update",
            toolCallId="c1",
            title="make test",
            kind="execute",
            status="pending",
            content=[{"type": "terminal", "terminalId": "t1"}],
        )
        await self.show(session, sessionUpdate="state_update", state="requires_action")
        request = schema.RequestPermissionRequest.model_validate({
            "sessionId": session,
            "title": "Run make test?",
            "subject": {"type": "command", "command": "make test", "cwd": "/", "toolCallId": "c1", "terminalId": "t1"},
            "options": [
                {"optionId": "yes", "name": "Yes", "kind": "allow_once"},
                {"optionId": "no", "name": "No", "kind": "reject_once"},
            ],
        })
        answer = await self.client.request_permission(
            session, request.title, request.options, subject=request.subject
        )
        await self.show(session, sessionUpdate="state_update", state="running")
        # The cuts are inside characters, and each chunk has its own padding.
        for start in range(0, len(output), 5):
            data = base64.b64encode(output[start : start + 5]).decode()
            await self.show(session, sessionUpdate="terminal_output_chunk", terminalId="t1", data=data)
        await self.show(session, sessionUpdate="terminal_update", terminalId="t1", exitStatus={"exitCode": 0})
        await self.show(
            session, sessionUpdate="tool_call_update", toolCallId="c1", status="completed", title=None
        )
        await self.show(session, sessionUpdate="_x_custom", n=9007199254740993, nested={"null": None})
        await self.say(session, answer.outcome.option_id)

    async def say(self, session: str, text: str) -> None:
        self.messages += 1
        for part in (text[:3], text[3:]):
            await self.show(
                session,
                sessionUpdate="agent_message_chunk",
                messageId=f"m{self.messages}",
                content={"type": "text", "text": part},
            )

    async def show(self, session: str, **update: Any) -> None:
        message = schema.UpdateSessionNotification.model_validate({"sessionId": session, "update": update})
        await self.client.session_update(session, message.update)


if __name__ == "__main__":
    agent = Version2Agent()
    asyncio.run(run_agent(agent, observers=[agent.observe]))
