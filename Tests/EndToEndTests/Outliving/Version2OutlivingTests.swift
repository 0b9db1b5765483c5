import AgentProcess
import EventLoop
import Glibc
import JSONScan
import Posix
import Testing
import Tinyvex

/// Agents of ACP version 2, which answer a prompt before they work on it: how long they continue, and how a
/// session's row reports their work.
@Suite(.blocking) struct Version2OutlivingTests {
    private func editor(
        in home: BridgeHome, _ options: [SystemString] = [], capabilities: String = "{}", version: Int = 2
    ) throws -> EditorSession {
        try EditorSession([Binary.demoAgent], in: home, options: options, capabilities: capabilities, version: version)
    }

    private func isRunning(_ name: String, in home: BridgeHome) -> Bool {
        home.processes.contains { $0.command.first?.hasSuffix(name) == true }
    }

    private func action(_ name: String, _ args: String) -> String {
        #"{"requestId":"r","name":"\#(name)","args":\#(args)}"#
    }

    /// Waits for a row of `sessions:list` in a subscription of that value.
    private func row(
        of session: String, _ client: TinyvexTestClient, where isWanted: (JSONValue) -> Bool
    ) throws -> JSONValue {
        func found(_ list: JSONValue) -> JSONValue? {
            list["data"]?.elements.first { $0["sessionId"]?.stringValue == session && isWanted($0) }
        }
        return try #require(found(try client.value { found($0) != nil }))
    }

    @Test func aTurnContinuesAfterItsEditorIsKilled() throws {
        try BridgeHome.with { home in
            let editor = try editor(in: home)
            try editor.prompt("hello 60 chunks pace=10 no permission")
            editor.process.kill(SIGKILL)
            let viewer = try TinyvexTestClient(home)
            _ = try viewer.subscribe(editor.sessionId, after: 0, stream: "sessions:timeline")
            while true {
                let update = try viewer.next("tinyvex/data")["params"]?["value"]?["notification"]?["params"]?["update"]
                guard update?["sessionUpdate"]?.stringValue == "state_update" else { continue }
                if update?["stopReason"]?.stringValue == "end_turn" { break }
            }
        }
    }

    @Test func backgroundWorkKeepsTheAgentAndTheRowShowsIt() throws {
        try BridgeHome.with { home in
            let editor = try editor(in: home, ["--linger", "50ms"])
            let client = try TinyvexTestClient(home)
            _ = try client.watch("sessions:list")
            try editor.prompt("hello 3 chunks pace=0 no permission background terminal lasting=forever")
            let row = try row(of: editor.sessionId, client) { $0["busy"]?.boolValue == true }
            #expect(row["state"]?.stringValue == "idle" && row["background"]?.int64Value == 1)
            editor.process.kill(SIGKILL)
            // The background work does not hold the next prompt.
            let args = #"{"sessionId":"\#(editor.sessionId)","text":"again 3 chunks pace=0 no permission"}"#
            let answer = try client.call("tinyvex/action", action("sessions:prompt", args))
            #expect(answer["result"]?["value"]?["stopReason"]?.stringValue == "end_turn")
            #expect(answer["result"]?["value"]?["messageId"]?.stringValue?.isEmpty == false)
            #expect(isRunning("demo-agent", in: home))
        }
    }

    @Test func backgroundWorkAloneKeepsAnAgentForALimitedTime() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home, ["--no-tcp", "--limit", "background=300ms"])
            let editor = try editor(in: home, ["--linger", "50ms"])
            let client = try TinyvexTestClient(home)
            _ = try client.watch("sessions:list")
            try editor.prompt("hello 3 chunks pace=0 no permission background terminal lasting=forever")
            _ = try row(of: editor.sessionId, client) { $0["busy"]?.boolValue == true }
            editor.process.kill(SIGKILL)
            let row = try row(of: editor.sessionId, client) { $0["live"]?.boolValue == false }
            #expect(row["state"]?.stringValue == "ended" && row["busy"] == nil)
        }
    }

    @Test func aPromptWaitsForTheEndOfATurn() throws {
        try BridgeHome.with { home in
            let editor = try editor(in: home)
            try editor.prompt("hello 60 chunks pace=10 no permission")
            let client = try TinyvexTestClient(home)
            let session = #""sessionId":"\#(editor.sessionId)","text":"x 3 chunks no permission""#
            #expect(try client.call("tinyvex/action", action("sessions:prompt", "{\(session)}")).errorCode == "TVX012")
            let answer = try client.call("tinyvex/action", action("sessions:prompt", #"{\#(session),"queue":true}"#))
            #expect(answer["result"]?["value"]?["stopReason"]?.stringValue == "end_turn")
        }
    }

    @Test(arguments: [1, 2])
    func anElicitationCanBeAnsweredByAnyController(version: Int) throws {
        try BridgeHome.with { home in
            let editor = try editor(in: home, capabilities: #"{"elicitation":{"form":{},"url":{}}}"#, version: version)
            let client = try TinyvexTestClient(home)
            _ = try client.watch("elicitations:pending", #"{"sessionId":"\#(editor.sessionId)"}"#)
            let timeline = try TinyvexTestClient(home)
            _ = try timeline.subscribe(editor.sessionId, after: 0, stream: "sessions:timeline")
            try editor.send(prompt: "hello 3 chunks pace=0 no permission ask form")
            let pending = try #require(try client.value { !$0.elements.isEmpty }.elements.first)
            #expect(pending["mode"]?.stringValue == "form" && pending["requestedSchema"] != nil)
            let request = #""sessionId":"\#(editor.sessionId)","requestId":\#(pending["requestId"]?.rawString ?? "")"#
            let perhaps = try client.mutate("elicitations:answer", #"{\#(request),"action":"perhaps"}"#)
            #expect(perhaps.errorCode == "-32602")
            let answered = try client.mutate("elicitations:answer", #"{\#(request),"action":"decline"}"#)
            #expect(answered["result"]?["value"]?["answered"]?.boolValue == true)
            _ = try client.value { $0.elements.isEmpty }
            var entries: [String: JSONValue] = [:]
            while entries["elicitation_answer"] == nil {
                let value = try timeline.next("tinyvex/data")["params"]?["value"]
                entries[value?["kind"]?.stringValue ?? ""] = value?["data"]
            }
            #expect(entries["elicitation_request"]?["params"]?["mode"]?.stringValue == "form")
            #expect(entries["elicitation_answer"]?["result"]?["action"]?.stringValue == "decline")
            #expect(entries["elicitation_answer"]?["by"] != nil)
        }
    }

    @Test func aWithdrawnPermissionRequestIsNoLongerPending() throws {
        try BridgeHome.with { home in
            let editor = try editor(in: home)
            let client = try TinyvexTestClient(home)
            _ = try client.watch("permissions:pending")
            try editor.send(prompt: "hello 3 chunks pace=20 ask permission withdraw permission")
            _ = try client.value { !$0.elements.isEmpty }
            // Nobody answers. The agent withdraws the request.
            _ = try client.value { $0.elements.isEmpty }
        }
    }

    @Test func aChildIsListedUnderItsParentAndTakesNoPrompts() throws {
        try BridgeHome.with { home in
            let editor = try editor(in: home)
            let client = try TinyvexTestClient(home)
            _ = try client.watch("sessions:list")
            try editor.prompt("hello 3 chunks pace=0 no permission 1 subagents")
            let parent = editor.sessionId
            let list = try client.value { !Self.children(of: parent, in: $0).isEmpty }
            let child = try #require(Self.children(of: parent, in: list).first)
            let args = #"{"sessionId":\#(child["sessionId"]?.rawString ?? ""),"text":"x"}"#
            #expect(try client.call("tinyvex/action", action("sessions:prompt", args)).errorCode == "-32602")
            let later = try TinyvexTestClient(home)
            _ = try later.watch("sessions:list")
            _ = try row(of: editor.sessionId, later) { $0["state"]?.stringValue == "idle" && $0["busy"] == nil }
            try editor.end()
            // The log has the parent of an ended child.
            let ended = try later.value { list in
                let children = Self.children(of: parent, in: list)
                return !children.isEmpty && children.allSatisfy { $0["state"]?.stringValue == "ended" }
            }
            #expect(Self.children(of: parent, in: ended).count == 1)
        }
    }

    /// An earlier fault: `latest` named the subagent that had written last, which takes no prompts.
    @Test func latestIsNeverASubagent() throws {
        try BridgeHome.with { home in
            let editor = try editor(in: home)
            let client = try TinyvexTestClient(home)
            _ = try client.watch("sessions:list")
            try editor.prompt("hello 3 chunks pace=0 no permission background subagent")
            let parent = editor.sessionId
            let list = try client.value { list in
                let newest = list["data"]?.elements.first
                return newest?["parentId"]?.stringValue == parent && newest?["state"]?.stringValue == "idle"
            }
            let child = try #require(Self.children(of: parent, in: list).first)
            #expect(child["title"]?.stringValue?.isEmpty == false, "the agent's name of the subagent")
            let prompt = try home.run("prompt", "latest", "again 3 chunks pace=0 no permission")
            #expect(prompt.status == .exited(code: 0), "\(prompt.errorText)")
            // The ids of the demo agent's subagents begin with those of their parents.
            let name = SystemString(String(parent.dropLast()))
            let beginning = try home.run("prompt", name, "a 3 chunks pace=0 no permission")
            #expect(beginning.status == .exited(code: 0), "\(beginning.errorText)")
        }
    }

    private static func children(of parent: String, in list: JSONValue) -> [JSONValue] {
        (list["data"]?.elements ?? []).filter { $0["parentId"]?.stringValue == parent }
    }
}
