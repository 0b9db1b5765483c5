"""An agent on the Python SDK's `Agent`, with the features that the SDK's example agent does not use.

It sends every kind of request that a client can answer, and can wait to be cancelled. Its output is the same in every
run, so two conversations with it can be compared byte for byte.

The prompt's first word selects the action: `work` or `wait`. Any other prompt is echoed.
"""

import asyncio
from typing import Any

from acp import (
    PROTOCOL_VERSION,
    Agent,
    InitializeResponse,
    LoadSessionResponse,
    NewSessionResponse,
    PromptResponse,
    RequestError,
    plan_entry,
    run_agent,
    start_tool_call,
    text_block,
    tool_diff_content,
    update_agent_message_text,
    update_agent_thought_text,
    update_plan,
    update_tool_call,
)
from acp.interfaces import Client
from acp.schema import Implementation, PermissionOption, ToolCallUpdate


class DemandingAgent(Agent):
    client: Client

    def __init__(self) -> None:
        self.folders: dict[str, str] = {}
        self.cancelled: dict[str, asyncio.Event] = {}

    def on_connect(self, conn: Client) -> None:
        self.client = conn

    async def initialize(self, protocol_version: int, **kwargs: Any) -> InitializeResponse:
        return InitializeResponse(
            protocol_version=PROTOCOL_VERSION, agent_info=Implementation(name="demanding-agent", version="1")
        )

    async def new_session(self, cwd: str, **kwargs: Any) -> NewSessionResponse:
        session = f"session-{len(self.folders) + 1}"
        self.folders[session] = cwd
        self.cancelled[session] = asyncio.Event()
        # Real agents also send updates before the response that contains the session id.
        await self.client.session_update(session, update_agent_thought_text("Before the beginning."))
        return NewSessionResponse(session_id=session)

    async def load_session(self, cwd: str, session_id: str, **kwargs: Any) -> LoadSessionResponse:
        raise RequestError.resource_not_found(session_id)

    async def prompt(self, session_id: str, prompt: list[Any], **kwargs: Any) -> PromptResponse:
        self.cancelled[session_id].clear()
        text = prompt[0].text
        match text.split()[0]:
            case "work":
                await self.work(session_id)
            case "wait":
                return await self.wait(session_id)
            case _:
                await self.client.session_update(session_id, update_agent_message_text(text))
        return PromptResponse(stop_reason="end_turn")

    async def cancel(self, session_id: str, **kwargs: Any) -> None:
        self.cancelled[session_id].set()

    async def ext_method(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        # The client's request is answered only after the client has answered the agent's request. Both are pending at
        # the same time, and both directions count their ids from 0.
        return {"method": method, "params": params, "client": await self.client.ext_method("example/ask", params)}

    async def ext_notification(self, method: str, params: dict[str, Any]) -> None:
        await self.client.ext_notification(method, params)

    async def wait(self, session: str) -> PromptResponse:
        await self.client.session_update(session, update_agent_message_text("Waiting."))
        await self.cancelled[session].wait()
        # The last update is sent before the response.
        await self.client.session_update(session, update_agent_message_text("Stopping."))
        return PromptResponse(stop_reason="cancelled")

    async def work(self, session: str) -> None:
        def show(update: Any) -> Any:
            return self.client.session_update(session, update)

        folder = self.folders[session]
        await show(update_plan([plan_entry("Read", status="in_progress"), plan_entry("Edit", priority="high")]))
        await show(start_tool_call("call-1", "Edit notes.txt", kind="edit", status="pending"))
        before = await self.client.read_text_file(session, f"{folder}/notes.txt")
        after = before.content + "Größe: 3 € 🌉\u2028\n"
        change = tool_diff_content(f"{folder}/notes.txt", after, before.content)
        answer = await self.client.request_permission(
            session,
            ToolCallUpdate(tool_call_id="call-1", content=[change]),
            [
                PermissionOption(option_id="yes", name="Allow", kind="allow_once"),
                PermissionOption(option_id="no", name="Reject", kind="reject_once"),
            ],
        )
        await self.client.write_text_file(session, f"{folder}/notes.txt", after)
        await show(update_tool_call("call-1", status="completed", content=[change]))
        terminal = await self.client.create_terminal(session, "printf", args=["%s", "done"], cwd=folder)
        await self.client.wait_for_terminal_exit(session, terminal.terminal_id)
        output = await self.client.terminal_output(session, terminal.terminal_id)
        await self.client.release_terminal(session, terminal.terminal_id)
        await show(update_agent_message_text(f"{answer.outcome.option_id}: {output.output}"))


if __name__ == "__main__":
    asyncio.run(run_agent(DemandingAgent()))
