import AgentProcess
import Glibc
import JSONScan
import Testing

/// Sessions that clients without ACP begin and continue: `sessions:begin` and `sessions:resume`.
@Suite(.blocking) struct BegunSessionTests {
    private func agents(_ client: TinyvexTestClient) throws -> [JSONValue] {
        try client.query("agents:list", "{}")?["running"]?.elements ?? []
    }

    @Test func aBegunSessionStaysWhenItsClientLeaves() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let folder = home.path + "/a folder"
            #expect(mkdir(folder, 0o700) == 0)
            let session = try TinyvexTestClient(home).actionValue(
                "sessions:begin", #"{"agent":"demo","cwd":"\#(folder)"}"#)
            #expect(session["agent"]?.stringValue == "demo")
            let id = try #require(session["sessionId"]?.stringValue)
            let client = try TinyvexTestClient(home)
            #expect(try agents(client).map { $0["primary"] == nil } == [true])
            let text = #"{"sessionId":"\#(id)","text":"hello 3 words no permission"}"#
            #expect(try client.actionValue("sessions:prompt", text)["stopReason"]?.stringValue == "end_turn")
            _ = try client.watch("sessions:get", #"{"sessionId":"\#(id)"}"#)
            _ = try client.value { $0["cwd"]?.stringValue == folder }
        }
    }

    @Test func thePromptOfAStartIsSentWithoutItsClient() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let text = "hello 3 words no permission"
            let begun = try TinyvexTestClient(home).actionValue(
                "sessions:begin", #"{"agent":"demo","text":"\#(text)"}"#)
            let id = try #require(begun["sessionId"]?.stringValue)
            func turns() throws -> Int {
                let lines = try home.run("attach", SystemString(id), "--all", "--no-follow").outputText
                return lines.split(separator: "\n").count { $0.contains(#""kind":"turn_end""#) }
            }
            try eventually("the first turn ends") { try turns() == 1 }
            // The session runs, so this only sends the next prompt.
            let client = try TinyvexTestClient(home)
            _ = try client.actionValue("sessions:resume", #"{"sessionId":"\#(id)","text":"\#(text)"}"#)
            try eventually("the second turn ends") { try turns() == 2 }
            #expect(try agents(client).count == 1)
        }
    }

    @Test func anAgentWithoutASessionIsEndedAndItsReasonReported() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            try home.addAgent("broken", ["sh", "-c", "echo 'no key is set' >&2; exit 3"])
            let client = try TinyvexTestClient(home)
            let (code, message) = try client.actionFault("sessions:begin", #"{"agent":"broken","cwd":"/"}"#)
            #expect(code == "TVX010" && message.contains("status 3") && message.contains("no key is set"), "\(message)")
            let missing = try client.actionFault("sessions:begin", #"{"agent":"demo","cwd":"/nowhere"}"#)
            #expect(missing.0 == "TVX010" && missing.1.contains("/nowhere"))
            for folder in ["relative", "~user/x", #"/tmp\u0000/x"#] {
                #expect(try client.actionFault("sessions:begin", #"{"agent":"demo","cwd":"\#(folder)"}"#).0 == "-32602")
            }
            #expect(try client.actionFault("sessions:begin", #"{"agent":"unknown"}"#).0 == "TVX010")
            #expect(try agents(client).isEmpty)
        }
    }

    /// A client that waits for the answer to its request `b`, because its agent never answers.
    private func waitingClient(_ home: BridgeHome) throws -> RemoteTestClient {
        try home.addAgent("silent", ["cat"])
        let client = try RemoteTestClient(home, path: "/tinyvex")
        try client.ask("b", "tinyvex/action", TinyvexTestClient.action("sessions:begin", #"{"agent":"silent"}"#))
        return client
    }

    @Test func otherRequestsAreAnsweredWhileAnAgentStarts() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let client = try waitingClient(home)
            let pid = try #require(try agents(client.wire).first?["pid"]?.int64Value)
            _ = try client.wire.call("tinyvex/action", TinyvexTestClient.action("agents:stop", #"{"pid":\#(pid)}"#))
            #expect(try client.messages(untilAnswerTo: "b").last?.errorCode == "TVX010")
        }
    }

    @Test func anEndedSessionContinuesOnce() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let state = SystemString("ACP_DEMO_STATE=\(home.path)/demo")
            try home.addAgent("lasting", ["env", state, Binary.demoAgent])
            let client = try TinyvexTestClient(home)
            let begun = try client.actionValue("sessions:begin", #"{"agent":"lasting","cwd":"\#(home.path)"}"#)
            let id = try #require(begun["sessionId"]?.stringValue)
            let reference = #"{"sessionId":"\#(id)"}"#
            let text = #"{"sessionId":"\#(id)","text":"hello 3 words no permission"}"#
            _ = try client.actionValue("sessions:prompt", text)
            _ = try client.actionValue("agents:stop", reference)
            try eventually("the agent has ended") { try agents(client).isEmpty }
            #expect(try client.actionValue("sessions:resume", reference)["sessionId"]?.stringValue == id)
            let again = try client.actionValue("sessions:resume", reference)
            #expect(again["journal"]?.stringValue?.isEmpty == false)
            #expect(try agents(client).count == 1)
            #expect(try client.actionValue("sessions:prompt", text)["stopReason"]?.stringValue == "end_turn")
            #expect(try client.actionFault("sessions:resume", #"{"sessionId":"unknown"}"#).0 == "TVX008")
        }
    }

    /// An agent. Its second start waits for ``open()``.
    private struct GatedAgent {
        let home: BridgeHome
        let name = "gated"

        init(_ home: BridgeHome) throws {
            self.home = home
            #expect(mkfifo(home.path + "/gate", 0o600) == 0)
            let script = """
                cd \(home.path); echo >> starts
                [ $(wc -l < starts) != 2 ] || cat gate > /dev/null
                ACP_DEMO_STATE=\(home.path)/demo exec \(Binary.demoAgent)
                """
            try home.addAgent(name, ["sh", "-c", SystemString(script)])
        }

        /// Lets the second start continue.
        func open() throws {
            let gate = Glibc.open(home.path + "/gate", O_WRONLY)
            try #require(gate >= 0)
            close(gate)
        }
    }

    /// Begins a session of the agent, and ends the agent after a turn. Returns the member that names the session.
    private func ended(_ agent: GatedAgent, _ client: TinyvexTestClient) throws -> String {
        let id = try #require(
            try client.actionValue("sessions:begin", #"{"agent":"\#(agent.name)"}"#)["sessionId"]?.stringValue)
        let reference = #""sessionId":"\#(id)""#
        _ = try client.actionValue("sessions:prompt", #"{\#(reference),"text":"hello 3 words no permission"}"#)
        _ = try client.actionValue("agents:stop", "{\(reference)}")
        try eventually("the agent has ended") { try agents(client).isEmpty }
        return reference
    }

    @Test func clientsThatContinueASessionTogetherGetOneAgent() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let agent = try GatedAgent(home)
            let client = try TinyvexTestClient(home)
            let reference = try ended(agent, client)
            let waiting = try (1...3).map { _ in try RemoteTestClient(home, path: "/tinyvex") }
            for one in waiting {
                try one.ask("r", "tinyvex/action", TinyvexTestClient.action("sessions:resume", "{\(reference)}"))
            }
            try eventually("an agent starts") { try agents(client).count == 1 }
            try agent.open()
            for one in waiting {
                let answer = try #require(try one.messages(untilAnswerTo: "r").last)
                #expect(answer["result"]?["value"]?["agent"]?.stringValue == agent.name, "\(answer.rawString)")
            }
            #expect(try agents(client).count == 1)
        }
    }

    @Test func noOtherAgentOpensASessionThatIsBeingContinued() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let agent = try GatedAgent(home)
            let client = try TinyvexTestClient(home)
            let reference = try ended(agent, client)
            let first = try RemoteTestClient(home, path: "/tinyvex")
            try first.ask("r", "tinyvex/action", TinyvexTestClient.action("sessions:resume", "{\(reference)}"))
            try eventually("the second start waits") { try agents(client).count == 1 }
            let other = try RemoteTestClient(home, path: "/acp?agent=\(agent.name)")
            try other.initialize()
            let load = try other.wire.call("session/load", #"{\#(reference),"cwd":"\#(home.path)","mcpServers":[]}"#)
            #expect(load["error"]?["message"]?.stringValue?.contains("another agent is opening this session") == true)
            try agent.open()
            #expect(try first.messages(untilAnswerTo: "r").last?["result"] != nil)
        }
    }

    @Test func aStartThatWasStoppedHasNoSession() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            // It answers `initialize`, and `session/new` only when its input has ended.
            let script = #"""
                answer() { id=${line#*\"id\":\"}; echo "{\"jsonrpc\":\"2.0\",\"id\":\"${id%%\"*}\",\"result\":$1}"; }
                read line; answer '{"protocolVersion":1}'
                read line; cat > /dev/null; answer '{"sessionId":"late"}'
                """#
            try home.addAgent("late", ["sh", "-c", SystemString(script)])
            let client = try RemoteTestClient(home, path: "/tinyvex")
            try client.ask("b", "tinyvex/action", TinyvexTestClient.action("sessions:begin", #"{"agent":"late"}"#))
            let pid = try #require(try agents(client.wire).first?["pid"]?.int64Value)
            _ = try client.wire.call("tinyvex/action", TinyvexTestClient.action("agents:stop", #"{"pid":\#(pid)}"#))
            let answer = try #require(try client.messages(untilAnswerTo: "b").last)
            #expect(answer.errorCode == "TVX010", "\(answer.rawString)")
        }
    }

    @Test func aStartIsCancelledByItsName() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            try home.addAgent("silent", ["cat"])
            let client = try RemoteTestClient(home, path: "/tinyvex")
            for key in ["one", "two"] {
                try client.ask(
                    key, "tinyvex/action",
                    TinyvexTestClient.action("sessions:begin", #"{"agent":"silent","start":"\#(key)"}"#))
            }
            let other = try TinyvexTestClient(home)
            try eventually("both start") { try agents(other).count { $0["starting"]?.boolValue == true } == 2 }
            _ = try other.actionValue("agents:stop", #"{"start":"two"}"#)
            #expect(try client.messages(untilAnswerTo: "two").last?.errorCode == "TVX010")
            #expect(try other.actionFault("agents:stop", #"{"start":"two"}"#).0 == "TVX003")
            #expect(try agents(other).count == 1)
        }
    }

    @Test func aStartDoesNotSurviveTheReplacementOfItsBridge() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let client = try waitingClient(home)
            try eventually("an agent starts") { try agents(TinyvexTestClient(home)).count == 1 }
            #expect(try home.run("serve", "--replace").status == .exited(code: 0))
            withExtendedLifetime(client) {}
            try eventually("the agent has ended") { try agents(TinyvexTestClient(home)).isEmpty }
        }
    }

    @Test func anAgentThatIsEndingIsNotTakenForOneThatRuns() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            try home.addAgent("stubborn", [Binary.rudeAgent, "ignore-eof", "ignore-term"])
            let client = try TinyvexTestClient(home)
            let begun = try client.actionValue("sessions:begin", #"{"agent":"stubborn"}"#)
            let reference = #"{"sessionId":"\#(begun["sessionId"]?.stringValue ?? "")"}"#
            _ = try client.actionValue("agents:stop", reference)
            // It is killed after some seconds.
            let (code, message) = try client.actionFault("sessions:resume", reference)
            #expect(code == "TVX003" && message.contains("ending"), "\(message)")
        }
    }

    @Test func aSessionThatCannotBePublishedIsNone() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            for (name, id) in [("long", String(repeating: "x", count: 2000)), ("empty", "")] {
                let script = #"""
                    while read line; do
                    id=${line#*\"id\":\"}
                    echo "{\"jsonrpc\":\"2.0\",\"id\":\"${id%%\"*}\",\"result\":{\"protocolVersion\":1,\"sessionId\":\"\#(id)\"}}"
                    done
                    """#
                try home.addAgent(name, ["sh", "-c", SystemString(script)])
                let client = try TinyvexTestClient(home)
                #expect(try client.actionFault("sessions:begin", #"{"agent":"\#(name)"}"#).0 == "TVX010")
                try eventually("the agent has ended") { try agents(client).isEmpty }
            }
        }
    }

    @Test func aSessionStaysItsTenants() throws {
        try IssuerHome.with { home in
            let state = SystemString("ACP_DEMO_STATE=\(home.home.path)/demo")
            try home.home.addAgent("lasting", ["env", state, Binary.demoAgent])
            let token = try home.token("acme", "control")
            let tenant = try RemoteTestClient(home.address, path: "/tinyvex", token: token).wire
            let admin = try TinyvexTestClient(home.home)
            let begun = try tenant.actionValue("sessions:begin", #"{"agent":"lasting","cwd":"\#(home.home.path)"}"#)
            let reference = #""sessionId":"\#(begun["sessionId"]?.stringValue ?? "")""#
            _ = try tenant.actionValue("sessions:prompt", #"{\#(reference),"text":"hello 3 words no permission"}"#)
            _ = try tenant.actionValue("agents:stop", "{\(reference)}")
            try eventually("the agent has ended") { try agents(admin).isEmpty }
            _ = try admin.actionValue("sessions:resume", "{\(reference)}")
            #expect(try agents(tenant).count == 1)
            _ = try tenant.actionValue("sessions:prompt", #"{\#(reference),"text":"hello 3 words no permission"}"#)
            let other = try RemoteTestClient(home.address, path: "/tinyvex", token: home.token("evil", "control")).wire
            #expect(try other.actionFault("sessions:resume", "{\(reference)}").0 == "TVX008")
        }
    }
}
