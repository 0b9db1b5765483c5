import AgentProcess
import EventLoop
import Glibc
import JSONScan
import Posix
import SessionLog
import SessionRecords
import Testing

/// The messages that a slow reader gets under each policy.
@Suite(.blocking) struct PolicyTests {
    private static func update(_ text: String) -> String {
        #"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":\#(text)}}"#
    }

    private static func chunk(_ kind: String, _ text: String) -> String {
        update(#"{"sessionUpdate":"agent_\#(kind)_chunk","content":{"type":"text","text":"\#(text)"}}"#)
    }

    /// Three thoughts, four pieces of a message, a tool call, and two more pieces.
    private static let lines =
        ["a", "b", "c"].map { chunk("thought", $0) } + ["d", "e", "f", #"\u0067"#].map { chunk("message", $0) }
        + [update(#"{"sessionUpdate":"tool_call","toolCallId":"t1","title":"ls"}"#)]
        + ["h", "i"].map { chunk("message", $0) }

    /// Calls `body` with the session after it has ended.
    private func withSession(_ lines: [String] = lines, _ body: (BridgeHome, TinyvexTestClient) throws -> Void) throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let path = SystemString(home.path + "/updates")
            try FileBytes.write(lines.map { $0 + "\n" }.joined().utf8, to: path.description)
            let editor = try EditorProcess(BridgeHome.bridged(["cat", path]), in: home)
            _ = try editor.outcome()
            let client = try TinyvexTestClient(home)
            // The editor's side does not wait for the log.
            try eventually("the session has ended") {
                try client.call("tinyvex/history.recentSessions").rawString.contains(#""state":"ended""#)
            }
            try body(home, client)
        }
    }

    private func skipped(_ from: Int, _ to: Int, _ reason: String) -> String {
        let params = #"{"subId":"s","fromSeq":\#(from),"toSeq":\#(to),"reason":"\#(reason)"}"#
        return #"{"jsonrpc":"2.0","method":"tinyvex/skipped","params":\#(params)}"#
    }

    /// All messages of a subscription up to its end. Errors have no fixed position, so they are returned separately.
    private func stream(
        _ client: TinyvexTestClient, _ policy: String, stream: String = "acp:sessionUpdates"
    ) throws -> (messages: [String], errors: [JSONValue]) {
        let params = #"{"subId":"s","name":"\#(stream)","params":{"sessionId":"s1"},"lastSeq":0,"policy":\#(policy)}"#
        let answer = try client.call("tinyvex/subscribe", params)
        #expect(answer["result"]?["startSeq"]?.int64Value == 1)
        var messages: [String] = []
        var errors: [JSONValue] = []
        while true {
            let message = try client.nextMessage()
            let value = try JSONValue(validating: message)
            switch value["method"]?.stringValue {
            case "tinyvex/ended":
                _ = try client.call("tinyvex/unsubscribe", #"{"subId":"s"}"#)
                errors += try client.takeKept().map { try JSONValue(validating: $0) }
                return (messages, errors)
            case "tinyvex/error": errors.append(value)
            default: messages.append(String(decoding: message, as: UTF8.self))
            }
        }
    }

    @Test func aSlowReaderGetsTheUpdatesThatItsPolicyKeeps() throws {
        let lines = Self.lines
        try withSession { _, client in
            let lossless = try stream(client, #""lossless""#)
            #expect(lossless.messages == lines)
            // All limits are far away: ten updates are not a backlog.
            #expect(try stream(client, #""latest""#).messages == lines)

            let latest = try stream(client, #"{"name":"latest","maxFrames":0}"#)
            #expect(
                latest.messages == [
                    lines[0], skipped(2, 2, "latest"), lines[2], lines[3], skipped(5, 6, "latest"), lines[6], lines[7],
                    lines[8], lines[9],
                ])
            let thoughts = try stream(client, #"{"name":"thoughts","maxBytes":0}"#)
            #expect(thoughts.messages == [lines[0], skipped(2, 2, "thoughts"), lines[2]] + lines[3...])

            func merged(_ line: String, _ text: String, _ from: Int, _ to: Int) -> String {
                line.replacing(
                    #""update":{"#, with: #""update":{"_meta":{"tinyvex":{"mergedFrom":\#(from),"mergedTo":\#(to)}},"#
                )
                .replacing(/"text":"."/, with: #""text":"\#(text)""#)
            }
            let merge = try stream(client, #"{"name":"merge","maxAgeMs":0}"#)
            #expect(
                merge.messages == [
                    skipped(1, 2, "merge"), merged(lines[0], "abc", 1, 3), skipped(4, 6, "merge"),
                    merged(lines[3], #"def\u0067"#, 4, 7), lines[7], skipped(9, 9, "merge"),
                    merged(lines[8], "hi", 9, 10),
                ])
            #expect(merge.errors.isEmpty)
        }
    }

    @Test func skippedUpdatesAreCounted() throws {
        try withSession { _, client in
            let params = #"{"sessionId":"s1"},"lastSeq":0,"policy":{"name":"latest","maxFrames":0}"#
            _ = try client.call(
                "tinyvex/subscribe", #"{"subId":"s","name":"acp:sessionUpdates","params":\#(params)}"#)
            var counted: Int64 = 0
            while counted < 3 {
                let error = try client.next("tinyvex/error")["params"]
                #expect(error?["code"]?.stringValue == "TVX005")
                counted += error?["data"]?["skipped"]?.int64Value ?? 0
                #expect(error?["data"]?["skippedTotal"]?.int64Value == counted)
            }
            #expect(counted == 3)
        }
    }

    @Test func aTimelineFollowsItsPolicy() throws {
        try withSession { _, client in
            let latest = try stream(client, #"{"name":"latest","maxFrames":0}"#, stream: "sessions:timeline")
            let seqs = try latest.messages.map { message in
                let params = try JSONValue(validating: Array(message.utf8))["params"]
                return params?["value"]?["seq"]?.int64Value ?? -(params?["toSeq"]?.int64Value ?? 0)
            }
            // `agent_start` is the timeline's first entry, so its numbers are one higher than the updates'.
            #expect(seqs == [0, 1, -3, 3, 4, -7, 7, 8, 9, 10, 10])

            let merge = try stream(client, #"{"name":"merge","maxFrames":0}"#, stream: "sessions:timeline")
            let values = try merge.messages.compactMap { message in
                try JSONValue(validating: Array(message.utf8))["params"]?["value"]
            }
            #expect(values.map { $0["seq"]?.int64Value } == [0, 3, 7, 8, 10, 10])
            let update = values[2]["notification"]?["params"]?["update"]
            #expect(update?["content"]?["text"]?.stringValue == "defg")
            #expect(update?["_meta"]?["tinyvex"]?.rawString == #"{"mergedFrom":4,"mergedTo":7}"#)
        }
    }

    @Test(arguments: ["latest", "merge"])
    func policiesApplyAcrossPagesOfALongRun(policy: String) throws {
        let count = 20_000
        let texts = (0..<count).map { " \($0)" }
        try withSession(texts.map { Self.chunk("message", $0) }) { _, client in
            let (messages, errors) = try stream(client, #"{"name":"\#(policy)","maxFrames":0}"#)
            let values = try messages.map { try JSONValue(validating: Array($0.utf8)) }
            let got = values.compactMap { $0["params"]?["update"]?["content"]?["text"]?.stringValue }
            if policy == "merge" {
                #expect(got.joined() == texts.joined())
                #expect(got.count < 50)
                #expect(errors.isEmpty)
            } else {
                #expect(got == [" 0", " \(count - 1)"])
                #expect(values[1]["params"]?["toSeq"]?.int64Value == Int64(count - 1))
            }
        }
    }

    /// A reader at a hundredth of the stream's speed stays within a second of it, and costs no memory.
    @Test(.enabled(if: Sanitizer.current == nil, "a sanitizer makes the bridge too slow for this limit"))
    func aSlowReaderWithPolicyLatestLagsAtMostOneSecond() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let (rate, seconds) = (2_000, 6)
            let agent: [SystemString] = [
                Binary.rudeAgent, "flood", "--on", "prompt", "--lines", SystemString("\(rate * seconds)"), "--rate",
                SystemString("\(rate)"), "--updates", "0", "--late", "0",
            ]
            let editor = try EditorSession(agent, in: home)
            let slow = try TinyvexTestClient(home)
            _ = try slow.call(
                "tinyvex/subscribe",
                #"{"subId":"s","name":"acp:sessionUpdates","params":{"sessionId":"rude-1"},"policy":"latest"}"#)
            let observer = try TinyvexTestClient(home)
            let before = try observer.residentBytes()
            var arrivals = try Arrivals(try TinyvexTestClient(home))
            let stream = try editor.promptMeanwhile("go")
            let begin = Instant.now
            var lags: [Duration] = []
            // The longest time by which the machine delayed this test. The bridge is delayed as much.
            var delay = Duration.zero
            while Instant.now - begin < .seconds(seconds) {
                // Twenty a second: a hundredth of the stream's rate.
                let round = Instant.now
                try arrivals.watch(for: .milliseconds(50))
                delay = max(delay, Instant.now - round - .milliseconds(50))
                let message = try JSONValue(validating: try slow.nextMessage())
                guard let number = message["params"]?["_meta"]?["n"]?.int64Value else { continue }
                if let lag = arrivals.age(of: Int(number)), Instant.now - begin > .seconds(1) { lags.append(lag) }
            }
            let late = lags.count { $0 > .seconds(1) + delay * 2 }
            #expect(lags.count > 10)
            #expect(late * 20 <= lags.count, "\(late) of \(lags.count) updates were late: \(lags)")
            #expect(try observer.residentBytes() - before < 16 << 20)
            try stream.wait()
        }
    }

    /// Every subscriber gets a message that names the updates which the log no longer keeps.
    @Test(arguments: ["acp:sessionUpdates", "sessions:timeline"])
    func updatesDeletedByRetentionAreReported(name: String) throws {
        let lines = (1...3000).map { Self.chunk("message", "\($0) " + String(repeating: "x", count: 500)) }
        try withSession(lines) { home, client in
            let session = try client.call("tinyvex/history.recentSessions")["result"]?.elements.first
            let journal = try #require(session?["journal"]?.stringValue)
            let sid = try #require(journal.split(separator: "-").dropFirst().first.flatMap { Int64($0) })
            _ = try home.run("stop")
            let oldest = try Self.trim(home.path + "/state/sessions.db", sid: sid, upTo: 2000)
            #expect(oldest > 1 && oldest <= 2001)
            _ = try Daemon(home)
            for policy in [#""lossless""#, #"{"name":"latest","maxFrames":100000,"maxAgeMs":100000}"#] {
                let got = try stream(try TinyvexTestClient(home), policy, stream: name).messages
                let first = try JSONValue(validating: Array(got[0].utf8))["params"]
                #expect(first?["fromSeq"]?.int64Value == 1)
                #expect(first?["reason"]?.stringValue == "retention")
                if name == "acp:sessionUpdates" {
                    #expect(first?["toSeq"]?.int64Value == oldest - 1)
                    #expect(Array(got.dropFirst()) == Array(lines.dropFirst(Int(oldest) - 1)))
                } else {
                    let next = try JSONValue(validating: Array(got[1].utf8))["params"]?["seq"]?.int64Value
                    #expect(next == (first?["toSeq"]?.int64Value).map { $0 + 1 })
                }
            }
        }
    }

    /// Trims the log like retention does. Returns the number of the first remaining update.
    private static func trim(_ path: String, sid: Int64, upTo: Int64) throws -> Int64 {
        let log = try SessionLog(path: path, durability: .normal) {}
        defer { log.close() }
        _ = log.submit(WriteRequest(ticket: 1, .trim(sid: sid, upTo: upTo)))
        var oldest: Int64?
        try eventually("the log is trimmed") {
            for reply in log.takeReplies() { if case .trimmed(let first) = reply.answer { oldest = first } }
            return oldest != nil
        }
        return try #require(oldest)
    }
}

/// The time at which each update reached a reader that keeps up.
private struct Arrivals {
    private let client: TinyvexTestClient
    private var times: [Instant] = []

    init(_ client: TinyvexTestClient) throws {
        self.client = client
        _ = try client.subscribe("rude-1")
    }

    mutating func watch(for duration: Duration) throws {
        let end = Instant.now + duration
        while Instant.now < end {
            guard let message = try client.messageAtHand(within: end - .now) else { continue }
            if message.starts(with: Self.updateStart) { times.append(.now) }
        }
    }

    /// The time since the update with the agent's number `number` arrived here; nil if it has not arrived. The first
    /// number belongs to the update of `session/new`, from before the subscription.
    func age(of number: Int) -> Duration? {
        let index = number - 2
        return times.indices.contains(index) ? Instant.now - times[index] : nil
    }

    private static let updateStart = Array(#"{"jsonrpc":"2.0","method":"session/update","#.utf8)
}
