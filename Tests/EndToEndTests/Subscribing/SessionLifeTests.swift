import AgentProcess
import Glibc
import JSONScan
import Testing

/// A session's life over several runs of its agent and of the bridge.
@Suite(.blocking) struct SessionLifeTests {
    @Test func theEndIsSentOnceAfterAllUpdates() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let editor = try EditorSession([Binary.rudeAgent, "echo"], in: home)
            let early = try TinyvexTestClient(home)
            _ = try early.subscribe("rude-1", subId: "early", after: 0)
            try editor.prompt("go")
            try editor.end()
            let late = try TinyvexTestClient(home)
            for (client, subId) in [(early, "early"), (late, "late")] {
                if subId == "late" { _ = try client.subscribe("rude-1", subId: subId, after: 0) }
                expectSame(try client.updates(5), editor.updates)
                let end = try JSONValue(validating: try client.nextMessage())
                #expect(end["method"]?.stringValue == "tinyvex/ended")
                #expect(end["params"]?.rawString == #"{"subId":"\#(subId)","seq":5,"reason":"exited","exitCode":0}"#)
                // No other message comes before the answer to this request.
                let answer = try client.call("tinyvex/ping")
                #expect(answer["result"] != nil)
                #expect(client.isQuiet)
            }
        }
    }

    @Test func twoAgentsThatReuseOneIdAreTwoIncarnations() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let first = try EditorSession([Binary.rudeAgent, "echo", "--updates", "4"], in: home)
            try first.prompt("one")
            try first.end()
            let client = try TinyvexTestClient(home)
            let firstLife = try #require(try client.journals(of: "rude-1").first)
            let second = try EditorSession([Binary.rudeAgent, "echo", "--updates", "1"], in: home)
            try second.prompt("two")
            try second.end()
            let journals = try client.journals(of: "rude-1")
            let secondLife = try #require(journals.first)
            #expect(journals == [secondLife, firstLife])

            expectSame(try client.history(of: "rude-1").map(\.line), second.updates)
            for (life, editor) in [(firstLife, first), (secondLife, second)] {
                let params = #","journal":"\#(life)""#
                let result = try client.subscribe("rude-1", after: 0, params: params)["result"]
                #expect(result?["journal"]?.stringValue == life)
                expectSame(try client.updates(editor.updates.count), editor.updates)
                _ = try client.next("tinyvex/ended")
                _ = try client.call("tinyvex/unsubscribe", #"{"subId":"s"}"#)
                expectSame(try client.history(of: "rude-1", params: params).map(\.line), editor.updates)
            }
        }
    }

    @Test func aPositionFromAnotherIncarnationRestartsWithAnError() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let client = try TinyvexTestClient(home)
            let first = try EditorSession([Binary.rudeAgent, "echo"], in: home)
            let firstLife = try #require(try client.journals(of: "rude-1").first)
            try first.end()
            let second = try EditorSession([Binary.rudeAgent, "echo"], in: home)
            try home.waitUntilStored()
            let secondLife = try #require(try client.journals(of: "rude-1").first)

            let resumed = try client.subscribe("rude-1", after: 1, journal: secondLife)["result"]
            #expect(resumed?["resumed"]?.boolValue == true)
            #expect(resumed?["startSeq"]?.int64Value == 2)
            _ = try client.call("tinyvex/unsubscribe", #"{"subId":"s"}"#)
            for foreign in [firstLife, "00000000-1-1", "no journal"] {
                let result = try client.subscribe("rude-1", after: 1, journal: foreign)["result"]
                #expect(result?["resumed"]?.boolValue == false, "\(foreign)")
                #expect(result?["startSeq"]?.int64Value == 1, "\(foreign)")
                #expect(result?["journal"]?.stringValue == secondLife, "\(foreign)")
                #expect(try client.next("tinyvex/error")["params"]?["code"]?.stringValue == "TVX004", "\(foreign)")
                expectSame(try client.updates(1), second.updates)
                _ = try client.call("tinyvex/unsubscribe", #"{"subId":"s"}"#)
            }
        }
    }

    @Test func aLoadedSessionContinuesItsNumbers() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let environment: [SystemString] = [SystemString("ACP_DEMO_STATE=\(home.path)/demo")]
            let client = try TinyvexTestClient(home)
            let first = try EditorSession([Binary.demoAgent], in: home, environment: environment)
            try first.prompt("hello 5 chunks pace=0 quiet")
            let session = first.sessionId
            let early = try client.subscribe(session, after: 0)["result"]
            expectSame(try client.updates(first.updates.count), first.updates)
            try first.end()
            #expect(try client.next("tinyvex/ended")["params"]?["reason"]?.stringValue == "exited")

            let second = try EditorSession([Binary.demoAgent], in: home, loading: session, environment: environment)
            try second.prompt("again 3 chunks pace=0 quiet")
            try second.end()
            // Updates after the repeated history are new, and only those are stored. The first new line lists commands.
            let firstNew = try #require(
                second.updates.firstIndex { String(decoding: $0, as: UTF8.self).contains("available_commands_update") })
            #expect(firstNew > 1)
            let new = Array(second.updates[firstNew...])
            expectSame(try client.updates(new.count), new)
            #expect(
                try client.next("tinyvex/ended")["params"]?["seq"]?.int64Value == Int64(first.updates.count + new.count)
            )

            let history = try client.history(of: session)
            #expect(history.map(\.seq) == Array(1...Int64(first.updates.count + new.count)))
            expectSame(history.map(\.line), first.updates + new)
            let journals = try client.journals(of: session)
            #expect(journals.count == 1)
            let journal = try #require(early?["journal"]?.stringValue)
            #expect(journals.first != journal)
            let late = try TinyvexTestClient(home)
            let resumed = try late.subscribe(session, after: 2, journal: journal)["result"]
            #expect(resumed?["resumed"]?.boolValue == true)
            expectSame(try late.updates(history.count - 2), history.dropFirst(2).map(\.line))
        }
    }

    @Test func aKilledBridgesSessionsAreInterrupted() throws {
        try BridgeHome.with { home in
            let daemon = try Daemon(home)
            let editor = try EditorSession([Binary.rudeAgent, "echo"], in: home)
            try editor.prompt("go")
            let before = try TinyvexTestClient(home)
            _ = try before.subscribe("rude-1", after: 0)
            let seen = try before.updates(4)
            try daemon.killAtOnce()
            #expect(try editor.process.outcome().status != .exited(code: 0))
            _ = try Daemon(home)
            let client = try TinyvexTestClient(home)
            _ = try client.subscribe("rude-1", after: 0)
            expectSame(try client.updates(4), seen)
            let rows = try client.call("tinyvex/history.recentSessions")["result"]?.elements ?? []
            #expect(rows.first?["end"]?.rawString == #"{"reason":"interrupted"}"#)
            #expect(try client.next("tinyvex/ended")["params"]?["reason"]?.stringValue == "interrupted")
        }
    }
}
