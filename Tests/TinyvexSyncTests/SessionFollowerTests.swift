import JSONScan
import Testing

@testable import TinyvexSync

@Suite struct SessionFollowerTests {
    private func follower(_ stream: SessionFollower.Stream = .updates, _ start: SessionFollower.Start = .after(0))
        -> SessionFollower
    {
        SessionFollower(stream: stream, sessionId: "s", agent: "a", life: "j", start: start)
    }

    private func subscribe(_ follower: SessionFollower) -> String {
        String(decoding: JSONWriter.object { follower.writeSubscribe(to: &$0) }, as: UTF8.self)
    }

    private func answer(_ text: String) throws -> JSONValue { try JSONValue(validating: Array(text.utf8)) }

    private func update(_ text: String = "x") -> [UInt8] {
        Array(
            #"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"\#(text)"}}}"#
                .utf8)
    }

    @Test func itCountsItsOwnPositionAndResumesThere() throws {
        var follower = follower()
        #expect(subscribe(follower).contains(#""lastSeq":0"#))
        follower.subscribed(try answer(#"{"accepted":true,"resumed":true,"startSeq":1,"headSeq":2,"journal":"j1"}"#))
        for expected in 1...3 {
            guard case .update(let seq, let line, _) = follower.read(update()) else {
                Issue.record("not an update")
                return
            }
            #expect(seq == Int64(expected))
            #expect(line == update())
            #expect(follower.isCaughtUp == (expected >= 2))
        }
        #expect(subscribe(follower).contains(#""lastSeq":3,"journal":"j1""#))
    }

    @Test func fromNowOnIsFromWhereTheBridgeSays() throws {
        var follower = follower(.updates, .now)
        #expect(!subscribe(follower).contains("lastSeq"))
        follower.subscribed(try answer(#"{"startSeq":41,"headSeq":40,"journal":"j"}"#))
        #expect(follower.isCaughtUp)
        guard case .update(41, _, _) = follower.read(update()) else {
            Issue.record("not number 41")
            return
        }
    }

    @Test func aSkipMovesThePosition() throws {
        var follower = follower()
        follower.subscribed(try answer(#"{"startSeq":1,"headSeq":9,"journal":"j"}"#))
        let skip =
            #"{"jsonrpc":"2.0","method":"tinyvex/skipped","params":{"subId":"follow","fromSeq":1,"toSeq":5,"reason":"merge"}}"#
        guard case .skipped(1, 5, "merge") = follower.read(Array(skip.utf8)),
            case .update(6, _, _) = follower.read(update())
        else {
            Issue.record("the next is not number 6")
            return
        }
    }

    @Test func aTimelineIsNumberedByTheBridge() throws {
        var follower = follower(.timeline)
        let data =
            #"{"jsonrpc":"2.0","method":"tinyvex/data","params":{"subId":"follow","seq":7,"value":{"kind":"prompt"}}}"#
        guard case .value(let value) = follower.read(Array(data.utf8)) else {
            Issue.record("not a value")
            return
        }
        #expect(value["kind"]?.stringValue == "prompt")
        #expect(subscribe(follower).contains(#""lastSeq":7"#))
    }

    @Test(arguments: [
        "", "nonsense", "{}", "[]", #"{"method":"tinyvex/unknown","params":{}}"#, #"{"id":1,"result":{}}"#,
    ])
    func whatItDoesNotKnowChangesNothing(message: String) {
        var follower = follower()
        guard case .other = follower.read(Array(message.utf8)) else {
            Issue.record("taken for something")
            return
        }
        #expect(follower.position == 0)
    }
}

@Suite struct BridgeAddressTests {
    @Test(arguments: [
        ("unix:/run/b.sock", BridgeAddress.unix(path: "/run/b.sock")),
        ("ws://127.0.0.1:7717", .tcp(host: "127.0.0.1", port: 7717)),
        ("ws://localhost:1/tinyvex", .tcp(host: "127.0.0.1", port: 1)),
        ("ws://[::1]:7717", .tcp(host: "::1", port: 7717)),
        ("ws://10.0.0.1", .tcp(host: "10.0.0.1", port: 80)),
    ])
    func endpointsAreRead(text: String, endpoint: BridgeAddress) throws { #expect(try BridgeAddress(text) == endpoint) }

    @Test(arguments: [
        ("ws://bridge.example:7717", "bridge.example"), ("ws://[127.0.0.1]:1", "[127.0.0.1]"),
    ])
    func namesAreNotLookedUp(text: String, host: String) {
        #expect(throws: BridgeAddress.ParseError.notAnAddress(host: host)) { try BridgeAddress(text) }
    }

    @Test(arguments: ["", "http://x", "ws://h:port", "ws://h:99999"])
    func othersAreRefused(text: String) {
        #expect(throws: BridgeAddress.ParseError.notAnEndpoint(text)) { try BridgeAddress(text) }
    }

    @Test func tlsIsSaidToBeMissing() {
        #expect(throws: BridgeAddress.ParseError.tlsNotSupported) { try BridgeAddress("wss://h") }
    }
}
