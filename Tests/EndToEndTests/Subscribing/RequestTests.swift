import AgentProcess
import Glibc
import JSONScan
import Testing

/// A client's valid requests, and the errors for invalid ones.
@Suite(.blocking) struct RequestTests {
    /// A bridge with one session of a few updates.
    private func withSession(_ body: (BridgeHome, TinyvexTestClient, EditorSession) throws -> Void) throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let editor = try EditorSession([Binary.rudeAgent, "echo", "--updates", "6"], in: home)
            try editor.prompt("go")
            try editor.process.wait(until: "all updates have arrived") { editor.updates.count == 8 }
            let client = try TinyvexTestClient(home)
            // The late update came after the prompt's answer. It is readable as soon as it is stored.
            _ = try client.subscribe("rude-1", after: 0)
            expectSame(try client.updates(8), editor.updates)
            _ = try client.call("tinyvex/unsubscribe", #"{"subId":"s"}"#)
            try body(home, client, editor)
        }
    }

    @Test func connectReturnsTheBridgesVersionAndFeatures() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let result = try TinyvexTestClient(home).call("tinyvex/connect", #"{"client":{"name":"t","version":"1"}}"#)[
                "result"]
            #expect(result?["serverVersion"]?.stringValue?.isEmpty == false)
            #expect(result?["sessionId"]?.stringValue?.isEmpty == false)
            #expect(result?["nowTs"]?.int64Value ?? 0 > 1_600_000_000_000)
            #expect(result?["features"]?["policies"]?.elements.compactMap(\.stringValue).contains("lossless") == true)
        }
    }

    @Test(arguments: ["1", "1.50", #""when""#, #"{"a":[null,1e2]}"#])
    func pingReturnsItsArgumentUnchanged(t: String) throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let answer = try TinyvexTestClient(home).call("tinyvex/ping", "{\"t\":\(t)}")
            #expect(answer["result"]?["t"]?.rawString == t)
        }
    }

    @Test func aPingWithoutAnIdGetsAPong() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let client = try TinyvexTestClient(home)
            for (params, pong) in [(#","params":{"t":[1.50, "x"]}"#, #"{"t":[1.50, "x"]}"#), ("", "{}")] {
                try client.send(#"{"jsonrpc":"2.0","method":"tinyvex/ping"\#(params)}"#)
                #expect(try client.next("tinyvex/pong")["params"]?.rawString == pong)
            }
            try client.send(#"{"jsonrpc":"2.0","method":"tinyvex/subscribe","params":{"subId":"a"}}"#)
            #expect(try client.call("tinyvex/ping")["result"] != nil)
            #expect(client.isQuiet)
        }
    }

    @Test func theBridgePingsEachClientEvery15s() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let client = try TinyvexTestClient(home)
            let start = ContinuousClock.now
            try eventually("the bridge pings") {
                _ = try client.messageAtHand(within: .milliseconds(200))
                return client.pingCount > 0
            }
            #expect(ContinuousClock.now - start > .seconds(14))
            #expect(try client.call("tinyvex/ping")["result"] != nil)
        }
    }

    @Test(
        .enabled(if: getenv("ACPBRIDGE_SOAK") != nil, "takes more than two minutes: ACPBRIDGE_SOAK=1 runs it"),
        .timeLimit(.minutes(4)))
    func onlyAClientThatIsSilentFor120sIsDisconnected() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let (there, gone) = (try TinyvexTestClient(home), try TinyvexTestClient(home))
            gone.answersPings = false
            let start = ContinuousClock.now
            while !gone.hasEnded {
                for client in [there, gone] { _ = try client.messageAtHand(within: .milliseconds(500)) }
            }
            #expect((120...150).contains((ContinuousClock.now - start).components.seconds))
            #expect(gone.closeCode == nil)
            #expect(try there.call("tinyvex/ping")["result"] != nil)
        }
    }

    @Test func anInvalidRequestGetsItsErrorAndTheConnectionContinues() throws {
        let wrong: [(method: String, params: String, code: String)] = [
            ("tinyvex/nothing", "{}", "-32601"),
            ("tinyvex/subscribe", "{}", "-32602"),
            ("tinyvex/subscribe", #"{"subId":1,"name":"acp:sessionUpdates"}"#, "-32602"),
            ("tinyvex/subscribe", #"{"subId":"a","name":"acp:sessionUpdates"}"#, "-32602"),
            ("tinyvex/subscribe", sub(lastSeq: "-1"), "-32602"),
            ("tinyvex/subscribe", sub(lastSeq: "1.5"), "-32602"),
            ("tinyvex/subscribe", sub(lastSeq: #""1""#), "-32602"),
            ("tinyvex/subscribe", #"{"subId":"a","name":"acp:other","params":{"sessionId":"rude-1"}}"#, "TVX002"),
            ("tinyvex/subscribe", sub(session: "never-was"), "TVX008"),
            ("tinyvex/subscribe", sub(policy: "telepathy"), "TVX002"),
            ("tinyvex/unsubscribe", #"{"subId":"never-was"}"#, "TVX001"),
            ("tinyvex/unsubscribe", "{}", "-32602"),
            ("tinyvex/history.sessionUpdates", #"{"sessionId":"never-was"}"#, "TVX008"),
            ("tinyvex/history.sessionUpdates", #"{"sessionId":"rude-1","sinceSeq":-1}"#, "-32602"),
            ("tinyvex/history.sessionUpdates", #"{"sessionId":"rude-1","sinceSeq":1,"sinceTs":1}"#, "-32602"),
            ("tinyvex/history.sessionUpdates", #"{"sessionId":"rude-1","direction":"up"}"#, "-32602"),
            ("tinyvex/history.sessionUpdates", #"{"sessionId":"rude-1","limit":0}"#, "-32602"),
            ("tinyvex/history.sessionUpdates", #"{"sessionId":"rude-1","limit":1001}"#, "-32602"),
            ("tinyvex/history.recentSessions", #"{"limit":0}"#, "-32602"),
            ("tinyvex/action", #"{"requestId":"1","name":"bridge:fly"}"#, "-32602"),
        ]
        try withSession { _, client, _ in
            for (method, params, code) in wrong {
                let answer = try client.call(method, params)
                #expect(answer.errorCode == code, "\(method) \(params)")
            }
            #expect(try client.call("tinyvex/ping")["result"] != nil)
        }
    }

    private func sub(session: String = "rude-1", lastSeq: String = "0", policy: String = "lossless") -> String {
        #"{"subId":"a","name":"acp:sessionUpdates","params":{"sessionId":"\#(session)"},"lastSeq":\#(lastSeq),"#
            + #""policy":"\#(policy)"}"#
    }

    @Test(arguments: [
        ("{", "-32700"), ("[]", "-32600"), (#"[{"jsonrpc":"2.0","id":1,"method":"tinyvex/ping"}]"#, "-32600"),
        ("1", "-32600"), (#"{"jsonrpc":"2.0","id":1}"#, "-32600"),
    ])
    func aMessageThatIsNotARequestGetsAnError(message: String, code: String) throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let client = try TinyvexTestClient(home)
            try client.send(message)
            let answer = try JSONValue(validating: try client.nextMessage())
            #expect(answer.errorCode == code)
            #expect(try client.call("tinyvex/ping")["result"] != nil)
        }
    }

    @Test func aSubscriptionReturnsItsStartAndTheLastStoredNumber() throws {
        let rows: [(after: Int64?, start: Int64, resumed: Bool)] = [
            (nil, 9, false), (0, 1, true), (3, 4, true), (8, 9, true), (9, 9, false), (.max, 9, false),
        ]
        try withSession { _, client, editor in
            for row in rows {
                let result = try client.subscribe("rude-1", after: row.after)["result"]
                #expect(result?["accepted"]?.boolValue == true)
                #expect(result?["startSeq"]?.int64Value == row.start, "after \(String(describing: row.after))")
                #expect(result?["resumed"]?.boolValue == row.resumed, "after \(String(describing: row.after))")
                #expect(result?["headSeq"]?.int64Value == 8)
                if let after = row.after, after > 8 {
                    let failure = try client.next("tinyvex/error")["params"]
                    #expect(failure?["code"]?.stringValue == "TVX004")
                    #expect(failure?["subId"]?.stringValue == "s")
                } else {
                    let wanted = editor.updates.dropFirst(Int(row.start) - 1)
                    expectSame(try client.updates(wanted.count), Array(wanted))
                }
                _ = try client.call("tinyvex/unsubscribe", #"{"subId":"s"}"#)
            }
        }
    }

    @Test func aConnectionFollowsManySessionsEachOnce() throws {
        try withSession { home, client, first in
            let link = home.path + "/other-agent"
            #expect(symlink(Binary.rudeAgent.description, link) == 0)
            let second = try EditorSession([SystemString(link), "echo", "--sessions", "2"], in: home)
            try second.ask("session/new", #"{"cwd":"/","mcpServers":[]}"#)
            #expect(
                try client.subscribe("rude-1", subId: "a", after: 0, params: #","agent":"rude-agent""#)["result"] != nil
            )
            expectSame(try client.updates(8), first.updates)
            let again = try client.subscribe("rude-1", subId: "b", params: #","agent":"rude-agent""#)
            #expect(again.errorCode == "TVX002")
            #expect(again["error"]?["data"]?["subId"]?.stringValue == "b")
            #expect(try client.subscribe("rude-2", subId: "a", after: 0).errorCode == "TVX002")
            #expect(try client.subscribe("rude-2", subId: "b", after: 0)["result"] != nil)
            expectSame(try client.updates(1), [second.updates[1]])
        }
    }

    @Test func anIdThatTwoAgentsUseIsAmbiguousUntilTheAgentIsNamed() throws {
        try withSession { home, client, first in
            let link = home.path + "/other-agent"
            #expect(symlink(Binary.rudeAgent.description, link) == 0)
            let second = try EditorSession([SystemString(link), "echo"], in: home)
            for call in [
                try client.subscribe("rude-1", after: 0),
                try client.call("tinyvex/history.sessionUpdates", #"{"sessionId":"rude-1"}"#),
            ] {
                #expect(call.errorCode == "TVX009")
                let candidates = call["error"]?["data"]?["candidates"]?.elements.compactMap(\.stringValue) ?? []
                #expect(Set(candidates) == ["rude-agent:rude-1", "other-agent:rude-1"])
            }
            #expect(try client.subscribe("rude-1", after: 0, params: #","agent":"other-agent""#)["result"] != nil)
            expectSame(try client.updates(1), second.updates)
            let history = try client.history(of: "rude-1", params: #","agent":"rude-agent""#)
            expectSame(history.map(\.line), first.updates)
        }
    }
}
