import Testing

#if TINYVEX_PORTABLE
    @testable import TinyvexClientPortable
#else
    @testable import TinyvexClient
#endif

@Suite(.timeLimit(.minutes(10))) struct VersionedUpdateTests {
    private static let chunk2 = line(
        #"{"messageId":"m","content":{"text":"Hi","type":"text"},"sessionUpdate":"agent_message_chunk"}"#)
    private static let state = line(#"{"state":"running","sessionUpdate":"state_update"}"#)
    private static let diff = line(
        #"{"sessionUpdate":"tool_call_update","toolCallId":"c","title":null,"#
            + #""content":[{"type":"diff","changes":[{"operation":"add","path":"/a"}]}]}"#)

    /// The versions of the first updates, and their lines.
    private func read(
        _ updates: String..., version: ACP.ProtocolVersion? = nil
    ) async throws -> (versions: [Int], lines: [String]) {
        let bridge = TestBridge { method, params, peer in
            guard method == "tinyvex/subscribe" else { return "{}" }
            return .init(
                #"{"accepted":true,"resumed":true,"startSeq":1,"headSeq":\#(updates.count),"journal":"j"}"#
            ) {
                for update in updates { try await peer.send(update) }
            }
        }
        var (versions, lines): ([Int], [String]) = ([], [])
        for try await update in bridge.client().subscribeVersionedUpdates(sessionId: "s", version: version) {
            switch update {
            case .v1: versions.append(1)
            case .v2: versions.append(2)
            }
            #expect(update.sessionId == "s")
            lines.append(update.line.description)
            if lines.count == updates.count { break }
        }
        return (versions, lines)
    }

    @Test func anUpdateOfOneVersionDecidesForTheFollowingOnes() async throws {
        #expect(try await read(chunk("a"), Self.state, Self.chunk2).versions == [1, 2, 2])
        let plan = line(#"{"sessionUpdate":"plan","entries":[]}"#)
        #expect(try await read(chunk("a"), plan, Self.chunk2).versions == [1, 1, 1])
    }

    @Test func aKnownVersionDecidesFromTheBeginning() async throws {
        #expect(try await read(Self.chunk2, Self.chunk2, version: .v2).versions == [2, 2])
        #expect(try await read(Self.chunk2, Self.chunk2, version: .v1).versions == [1, 1])
    }

    @Test func membersOfVersion2AreRecognized() async throws {
        #expect(try await read(Self.diff, Self.chunk2).versions == [2, 2])
        let option = #"{"configId":"m","name":"M","type":"select","currentValue":"a","options":[]}"#
        let options = line(#"{"sessionUpdate":"config_option_update","configOptions":[\#(option)]}"#)
        #expect(try await read(options).versions == [2])
    }

    @Test func linesKeepTheirBytesAndUnknownKinds() async throws {
        let strange = line(#"{"n":9007199254740993,"x":{"y":null},"sessionUpdate":"_x_custom"}"#)
        let read = try await read(Self.state, strange)
        #expect(read.lines == [Self.state, strange] && read.versions == [2, 2])
    }

    @Test func anInvalidLineIsThrownAndTheNextOneCanBeRead() async throws {
        let bad = line(#"{"sessionUpdate":"terminal_output_chunk","terminalId":"t"}"#)
        var updates = TestBridge.session(bad, Self.state).client().subscribeVersionedUpdates(sessionId: "s")
            .makeAsyncIterator()
        do {
            _ = try await updates.next()
            Issue.record("the line was decoded")
        } catch {
            guard case .decoding = error else { throw error }
        }
        guard case .v2? = try await updates.next() else { return #expect(Bool(false), "not version 2") }
    }

    @Test func aTimelineHasUpdatesOfBothVersions() async throws {
        let client = TestBridge.pushing(
            #"{"seq":1,"ts":1,"kind":"update","notification":\#(Self.diff)}"#,
            #"{"seq":1,"ts":2,"kind":"elicitation_request","data":{"requestId":1,"params":{}}}"#
        ).client()
        var entries = client.subscribeTimeline(sessionId: "s").makeAsyncIterator()
        let update = try #require(try await entries.next())
        #expect(update.line?.description == Self.diff)
        guard case .v2(let wire)? = try update.notification(version: .v2), case .toolCallUpdate = wire.update else {
            return #expect(Bool(false), "\(update)")
        }
        #expect(try await entries.next()?.kind == .elicitationRequest)
    }
}
