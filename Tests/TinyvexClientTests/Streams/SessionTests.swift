import Synchronization
import Testing

#if TINYVEX_PORTABLE
    @testable import TinyvexClientPortable
#else
    @testable import TinyvexClient
#endif

@Suite(.timeLimit(.minutes(10))) struct SessionTests {
    @Test func updatesAreDecodedAndKeepTheirLines() async throws {
        let client = TestBridge.session(chunk("Hel"), chunk("lo")).client()
        var text = ""
        for try await update in client.subscribeSessionUpdates(sessionId: "s") {
            #expect(update.sessionId == "s")
            guard case .agentMessageChunk(let chunk) = update.update, case .text(let content) = chunk.content else {
                Issue.record("not a chunk: \(update)")
                break
            }
            text += content.text
            #expect(update.line.description.contains(#""text":"\#(content.text)""#))
            if text == "Hello" { break }
        }
        #expect(text == "Hello")
    }

    @Test func anUnknownKindOfUpdateIsKept() async throws {
        let strange = line(#"{"sessionUpdate":"teleported","to":1e5}"#)
        let client = TestBridge.session(strange).client()
        var updates = client.subscribeSessionUpdates(sessionId: "s").makeAsyncIterator()
        let update = try #require(try await updates.next())
        guard case .unknown = update.update else { return #expect(Bool(false), "\(update)") }
        #expect(update.line.description == strange)
    }

    @Test func afterAnInvalidLineTheNextOneCanBeRead() async throws {
        let client = TestBridge.session(line(#"{"sessionUpdate":"agent_message_chunk"}"#), chunk("b")).client()
        var updates = client.subscribeSessionUpdates(sessionId: "s").makeAsyncIterator()
        do {
            _ = try await updates.next()
            Issue.record("the line was decoded")
        } catch {
            guard case .decoding(let fault) = error else { throw error }
            #expect(fault.path == "params.update.content")
        }
        #expect(try await updates.next()?.line.description == chunk("b"))
    }

    @Test func eventsHaveSequenceNumbersAndReportSkippedUpdates() async throws {
        let bridge = TestBridge { method, params, peer in
            guard method == "tinyvex/subscribe", let subId = params?["subId"]?.rawString else { return "{}" }
            return .init(#"{"accepted":true,"resumed":true,"startSeq":1,"headSeq":5,"journal":"j"}"#) {
                try await peer.send(chunk("a"))
                try await peer.send(
                    #"{"jsonrpc":"2.0","method":"tinyvex/skipped","params":{"subId":\#(subId),"fromSeq":2,"toSeq":4,"reason":"latest"}}"#
                )
                try await peer.send(line(#"{"sessionUpdate":"plan"}"#))
                try await peer.send(
                    #"{"jsonrpc":"2.0","method":"tinyvex/ended","params":{"subId":\#(subId),"seq":5,"reason":"exited","exitCode":0}}"#
                )
            }
        }
        let client = bridge.client()
        var words: [String] = []
        for try await event in client.sessionEvents(sessionId: "s", policy: "latest") {
            switch event {
            case .opened(let opening): words.append("opened \(opening.nextSeq) \(opening.journal ?? "")")
            case .update(let seq, _): words.append("update \(seq)")
            case .unreadable(let seq, let line, _): words.append("unreadable \(seq) \(line.count)")
            case .skipped(let from, let to, let reason): words.append("skipped \(from)-\(to) \(reason)")
            case .ended(let seq, let end): words.append("ended \(seq) \(end.reason)")
            case .restarted, .notice: words.append("?")
            }
            if words.count == 5 { break }
        }
        let count = line(#"{"sessionUpdate":"plan"}"#).utf8.count
        #expect(words == ["opened 1 j", "update 1", "skipped 2-4 latest", "unreadable 5 \(count)", "ended 5 exited"])
    }

    @Test func everyStreamOfASessionTakesAPolicyWithItsLimits() async throws {
        let policies = Mutex<[String]>([])
        let bridge = TestBridge { method, params, peer in
            guard method == "tinyvex/subscribe", let subId = params?["subId"]?.rawString else { return "{}" }
            policies.withLock { $0.append(params?["policy"]?.rawString ?? "") }
            let isTimeline = params?["name"]?.stringValue == "sessions:timeline"
            return .init(#"{"accepted":true,"resumed":true,"startSeq":1,"headSeq":1,"journal":"j"}"#) {
                guard isTimeline else { return try await peer.send(chunk("a")) }
                try await peer.send(.data(subId, 1, #"{"seq":0,"ts":1,"kind":"agent_start","data":{}}"#))
            }
        }
        let policy = StreamPolicy("merge", maxFrames: 5, maxBytes: 6, maxAge: .milliseconds(7))
        // Each stream has a client of its own: equal streams of one client share a subscription.
        for try await _ in bridge.client().subscribeSessionUpdates(sessionId: "s", policy: policy) { break }
        for try await _ in bridge.client().subscribeVersionedUpdates(sessionId: "s", policy: policy) { break }
        for try await _ in bridge.client().subscribeTimeline(sessionId: "s", policy: policy) { break }
        for try await event in bridge.client().sessionEvents(sessionId: "s", policy: policy) {
            if case .update = event { break }
        }
        let text = #"{"name":"merge","maxFrames":5,"maxBytes":6,"maxAgeMs":7}"#
        #expect(policies.withLock { $0 } == [text, text, text, text])
    }

    @Test func aStreamResumesWhereAnEarlierRunStopped() async throws {
        let client = TestBridge.session(chunk("a"), chunk("b"), chunk("c")).client()
        for try await event in client.sessionEvents(sessionId: "s", from: .after(2, journal: "j")) {
            guard case .update(let seq, let update) = event else { continue }
            #expect(seq == 3 && update.line.description == chunk("c"))
            break
        }
    }

    @Test func aTimelineContinuesWhereAnEarlierRunStopped() async throws {
        let asked = Mutex("")
        let bridge = TestBridge { method, params, peer in
            guard method == "tinyvex/subscribe", let subId = params?["subId"]?.rawString else { return "{}" }
            asked.withLock { $0 = (params?["lastSeq"]?.rawString ?? "") + (params?["journal"]?.rawString ?? "") }
            return .init(#"{"accepted":true,"resumed":true,"startSeq":8,"headSeq":9,"journal":"j"}"#) {
                try await peer.send(.data(subId, 8, #"{"seq":3,"ts":1,"kind":"turn_end","data":{}}"#))
                try await peer.send(.data(subId, 9, #"{"kind":7}"#))
            }
        }
        var words: [String] = []
        for try await event in bridge.client().timelineEvents(sessionId: "s", from: .after(7, journal: "j")) {
            switch event {
            case .opened(let opening): words.append("opened \(opening.nextSeq)")
            case .entry(let number, let entry): words.append("\(number) \(entry.kind.rawValue) \(entry.seq)")
            case .unreadable(let number, let text, _): words.append("unreadable \(number) \(text.count)")
            case .skipped, .restarted, .notice: words.append("?")
            }
            if words.count == 3 { break }
        }
        #expect(words == ["opened 8", "8 turn_end 3", "unreadable 9 10"])
        #expect(asked.withLock { $0 } == #"7"j""#)
    }

    @Test func updatesBeforeTheIterationAreKeptAndAReleasedStreamIsUnsubscribed() async throws {
        let bridge = TestBridge.session(chunk("a"))
        let client = bridge.client()
        do {
            let updates = client.subscribeSessionUpdates(sessionId: "s")
            #expect(await eventually { bridge.count(of: "tinyvex/subscribe") == 1 })
            for try await update in updates {
                #expect(update.line.description == chunk("a"))
                break
            }
        }
        #expect(await eventually { bridge.count(of: "tinyvex/unsubscribe") == 1 })
    }

    @Test func aTimelineDeliversItsEntries() async throws {
        let client = TestBridge.pushing(#"{"kind":"prompt"}"#, #"{"kind":"update"}"#).client()
        var kinds: [String] = []
        for try await entry in client.subscribeTimeline(sessionId: "s", as: RawJSON.self) {
            kinds.append(entry["kind"]?.description ?? "")
            if kinds.count == 2 { break }
        }
        #expect(kinds == [#""prompt""#, #""update""#])
    }

    @Test func timelineEntriesAreDecodedAndUnknownKindsAreKept() async throws {
        let client = TestBridge.pushing(
            #"{"seq":1,"ts":1705314600000,"kind":"update","notification":\#(chunk("a"))}"#,
            #"{"seq":1,"ts":1705314600001,"kind":"teleported","data":{"to":1e5}}"#
        ).client()
        var entries = client.subscribeTimeline(sessionId: "s").makeAsyncIterator()
        let update = try #require(try await entries.next())
        #expect(update.kind == .update && update.notification?.line.description == chunk("a"))
        let strange = try #require(try await entries.next())
        #expect(strange.kind.rawValue == "teleported" && strange.data?.description == #"{"to":1e5}"#)
    }
}
