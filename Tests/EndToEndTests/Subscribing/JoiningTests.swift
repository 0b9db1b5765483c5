import AgentProcess
import JSONScan
import Testing

/// Replay and live updates form one stream. A client that joins at any time gets every number after its own exactly
/// once.
@Suite(.blocking) struct JoiningTests {
    private func flood(_ lines: Int, size: Int = 200) -> [SystemString] {
        [
            Binary.rudeAgent, "flood", "--on", "prompt", "--lines", SystemString("\(lines)"), "--size",
            SystemString("\(size)"), "--updates", "0", "--late", "0",
        ]
    }

    /// For so many, large pieces are sent by reference (`OutgoingBuffer`).
    @Test func sixtyReadersThatJoinAStreamGetEveryLaterUpdateOnce() throws {
        let lineCount = 4000
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let editor = try EditorSession(flood(lineCount), in: home)
            var random = SystemRandomNumberGenerator()
            var readers: [(client: TinyvexTestClient, start: Int64, got: [[UInt8]])] = []
            var head: Int64 = 0
            let stream = try editor.promptMeanwhile("go")
            while readers.count < 60 {
                let client = try TinyvexTestClient(home)
                let after = Bool.random(using: &random) ? nil : Int64.random(in: 0...head, using: &random)
                let result = try client.subscribe("rude-1", after: after)["result"]
                let start = try #require(result?["startSeq"]?.int64Value)
                head = try #require(result?["headSeq"]?.int64Value)
                #expect(start == after.map { $0 + 1 } ?? head + 1)
                readers.append((client, start, []))
                // The earlier readers read a little further, so that the stream moves between two joins.
                let index = Int.random(in: readers.indices, using: &random)
                let rest = lineCount + 1 - Int(readers[index].start) + 1 - readers[index].got.count
                readers[index].got += try readers[index].client.updates(
                    min(rest, Int.random(in: 0...100, using: &random)))
            }
            try stream.wait()
            let all = editor.updates
            #expect(all.count == lineCount + 1)
            for (client, start, got) in readers {
                let wanted = all.dropFirst(Int(start) - 1)
                let rest = try client.updates(wanted.count - got.count)
                expectSame(got + rest, Array(wanted))
            }
            try editor.end()
            for (client, _, _) in readers {
                // No update came twice: the end is the very next message.
                let end = try JSONValue(validating: try client.nextMessage())
                #expect(end["params"]?["seq"]?.int64Value == Int64(lineCount + 1))
            }
        }
    }

    @Test func aClientCanUnsubscribeDuringAReplayAndResubscribe() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let editor = try EditorSession(flood(200, size: 40_000), in: home)
            try editor.prompt("go")
            let all = editor.updates
            let client = try TinyvexTestClient(home)
            var position = 0
            while position < all.count {
                _ = try client.subscribe("rude-1", after: Int64(position))
                let some = try client.updates(min(11, all.count - position))
                expectSame(some, Array(all[position..<position + some.count]))
                position += some.count
                // Updates in flight come before the answer; no update comes after it.
                #expect(try client.call("tinyvex/unsubscribe", #"{"subId":"s"}"#)["result"] != nil)
                let onItsWay = client.takeKept()
                expectSame(onItsWay, Array(all[position..<min(all.count, position + onItsWay.count)]))
                #expect(try client.call("tinyvex/ping")["result"] != nil)
                #expect(client.isQuiet)
            }
        }
    }

    @Test func aClientThatLeavesDuringAFrameLeavesNoSubscription() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let editor = try EditorSession(flood(12, size: 1_000_000), in: home)
            try editor.prompt("go")
            for _ in 0..<30 {
                let client = try TinyvexTestClient(home)
                _ = try client.subscribe("rude-1", after: 0)
                try client.send(#"{"jsonrpc":"2.0","id":"u","method":"tinyvex/unsubscribe","params":{"subId":"s"}}"#)
            }
            let client = try TinyvexTestClient(home)
            _ = try client.subscribe("rude-1", after: 0)
            expectSame(try client.updates(13), editor.updates)
            try eventually("the other subscriptions have ended") {
                try home.status()["subscriptions"]?.int64Value == 1
            }
        }
    }

    @Test func responsesAreSentBetweenTheUpdatesOfALongReplay() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let editor = try EditorSession(flood(400, size: 40_000), in: home)
            try editor.prompt("go")
            let all = editor.updates
            let client = try TinyvexTestClient(home)
            _ = try client.subscribe("rude-1", after: 0)
            var got = try client.updates(5)
            for t in 1...3 {
                #expect(try client.call("tinyvex/ping", #"{"t":\#(t)}"#)["result"]?["t"]?.int64Value == Int64(t))
                got += client.takeKept()
                // The answer did not wait for the end of the replay.
                #expect(got.count < all.count / 2)
            }
            got += try client.updates(all.count - got.count)
            expectSame(got, all)
        }
    }
}
