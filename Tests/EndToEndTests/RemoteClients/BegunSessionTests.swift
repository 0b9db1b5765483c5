import AgentProcess
import Glibc
import JSONScan
import Testing

/// Sessions that clients without ACP begin and continue: `sessions:begin` and `sessions:resume`.
@Suite(.blocking) struct BegunSessionTests {
    private func action(_ name: String, _ args: String) -> String {
        #"{"requestId":"\#(name)","name":"\#(name)","args":\#(args)}"#
    }

    private func value(_ client: TinyvexTestClient, _ name: String, _ args: String) throws -> JSONValue {
        let answer = try client.call("tinyvex/action", action(name, args))
        return try #require(answer["result"]?["value"], "\(answer.rawString)")
    }

    private func fault(_ client: TinyvexTestClient, _ name: String, _ args: String) throws -> (String?, String) {
        let answer = try client.call("tinyvex/action", action(name, args))
        return (answer.errorCode, answer["error"]?["message"]?.stringValue ?? answer.rawString)
    }

    private func agents(_ client: TinyvexTestClient) throws -> [JSONValue] {
        try client.query("agents:list", "{}")?["running"]?.elements ?? []
    }

    @Test func aBegunSessionStaysWhenItsClientLeaves() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let folder = home.path + "/a folder"
            #expect(mkdir(folder, 0o700) == 0)
            let session = try value(
                TinyvexTestClient(home), "sessions:begin", #"{"agent":"demo","cwd":"\#(folder)"}"#)
            #expect(session["agent"]?.stringValue == "demo")
            let id = try #require(session["sessionId"]?.stringValue)
            let client = try TinyvexTestClient(home)
            #expect(try agents(client).map { $0["primary"] == nil } == [true])
            let text = #"{"sessionId":"\#(id)","text":"hello 3 words no permission"}"#
            #expect(try value(client, "sessions:prompt", text)["stopReason"]?.stringValue == "end_turn")
            _ = try client.watch("sessions:get", #"{"sessionId":"\#(id)"}"#)
            _ = try client.value { $0["cwd"]?.stringValue == folder }
        }
    }

    @Test func anAgentWithoutASessionIsEndedAndItsReasonReported() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            try home.addAgent("broken", ["sh", "-c", "echo 'no key is set' >&2; exit 3"])
            let client = try TinyvexTestClient(home)
            let (code, message) = try fault(client, "sessions:begin", #"{"agent":"broken","cwd":"/"}"#)
            #expect(code == "TVX010" && message.contains("status 3") && message.contains("no key is set"), "\(message)")
            let missing = try fault(client, "sessions:begin", #"{"agent":"demo","cwd":"/nowhere"}"#)
            #expect(missing.0 == "TVX010" && missing.1.contains("/nowhere"))
            #expect(try fault(client, "sessions:begin", #"{"agent":"demo","cwd":"relative"}"#).0 == "-32602")
            #expect(try fault(client, "sessions:begin", #"{"agent":"unknown"}"#).0 == "TVX010")
            #expect(try agents(client).isEmpty)
        }
    }

    @Test func otherRequestsAreAnsweredWhileAnAgentStarts() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            try home.addAgent("silent", ["cat"])
            let client = try RemoteTestClient(home, path: "/tinyvex")
            try client.ask("b", "tinyvex/action", action("sessions:begin", #"{"agent":"silent"}"#))
            let pid = try #require(try agents(client.wire).first?["pid"]?.int64Value)
            _ = try client.wire.call("tinyvex/action", action("agents:stop", #"{"pid":\#(pid)}"#))
            #expect(try client.messages(untilAnswerTo: "b").last?.errorCode == "TVX010")
        }
    }

    @Test func anEndedSessionContinuesOnce() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let state = SystemString("ACP_DEMO_STATE=\(home.path)/demo")
            try home.addAgent("lasting", ["env", state, Binary.demoAgent])
            let client = try TinyvexTestClient(home)
            let begun = try value(client, "sessions:begin", #"{"agent":"lasting","cwd":"\#(home.path)"}"#)
            let id = try #require(begun["sessionId"]?.stringValue)
            let reference = #"{"sessionId":"\#(id)"}"#
            let text = #"{"sessionId":"\#(id)","text":"hello 3 words no permission"}"#
            _ = try value(client, "sessions:prompt", text)
            _ = try value(client, "agents:stop", reference)
            try eventually("the agent has ended") { try agents(client).isEmpty }
            #expect(try value(client, "sessions:resume", reference)["sessionId"]?.stringValue == id)
            let again = try value(client, "sessions:resume", reference)
            #expect(again["journal"]?.stringValue?.isEmpty == false)
            #expect(try agents(client).count == 1)
            #expect(try value(client, "sessions:prompt", text)["stopReason"]?.stringValue == "end_turn")
            #expect(try fault(client, "sessions:resume", #"{"sessionId":"unknown"}"#).0 == "TVX008")
        }
    }

    @Test func twoClientsThatContinueASessionStartOneAgent() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let script = """
                case $(cat \(home.path)/runs 2>/dev/null) in
                '') echo 1 > \(home.path)/runs; exec \(Binary.demoAgent);;
                *) exec cat;;
                esac
                """
            try home.addAgent("once", ["sh", "-c", SystemString(script)])
            let first = try RemoteTestClient(home, path: "/tinyvex")
            let second = try TinyvexTestClient(home)
            let id = try #require(
                try value(second, "sessions:begin", #"{"agent":"once"}"#)["sessionId"]?.stringValue)
            let reference = #"{"sessionId":"\#(id)"}"#
            _ = try value(second, "agents:stop", reference)
            try eventually("the agent has ended") { try agents(second).isEmpty }
            try first.ask("r", "tinyvex/action", action("sessions:resume", reference))
            #expect(try agents(first.wire).count == 1)
            let (code, message) = try fault(second, "sessions:resume", reference)
            #expect(code == "TVX003" && message.contains("already"))
            #expect(try agents(second).count == 1)
        }
    }
}
