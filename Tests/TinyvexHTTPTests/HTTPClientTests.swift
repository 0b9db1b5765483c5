import Foundation
import JSONScan
import Synchronization
import Testing
import TinyvexClient
import TinyvexTransport

@testable import TinyvexHTTP

/// A bridge that answers from a list, and remembers the requests.
private final class ScriptedBridge: Sendable {
    private struct State {
        var answers: [Result<HTTPResponse, TransportFailure>]
        var requests: [HTTPRequest] = []
        var pauses: [Duration] = []
        var now = ContinuousClock.now
    }

    private let state: Mutex<State>

    init(_ answers: [Result<HTTPResponse, TransportFailure>]) { state = Mutex(State(answers: answers)) }

    var requests: [HTTPRequest] { state.withLock { $0.requests } }
    /// The times that the client has slept. A sleep ends at once and moves the clock.
    var pauses: [Duration] { state.withLock { $0.pauses } }

    func client(_ url: String = "https://bridge.example", token: String? = "t1") throws -> TinyvexHTTPClient {
        var configuration = HTTPConfiguration(endpoint: try #require(URL(string: url)))
        configuration.shortestDelay = .seconds(1)
        configuration.longestDelay = .seconds(1)
        let transport = InProcessHTTPTransport { request throws(TransportFailure) in
            let answer = self.state.withLock { state -> Result<HTTPResponse, TransportFailure> in
                state.requests.append(request)
                return state.answers.isEmpty ? .failure(.cancelled) : state.answers.removeFirst()
            }
            return try answer.get()
        }
        let time = HTTPTime(
            now: { self.state.withLock { $0.now } },
            sleep: { pause in
                self.state.withLock { state in
                    state.pauses.append(pause)
                    state.now += pause
                }
            })
        return TinyvexHTTPClient(configuration, authToken: token, transport, time)
    }

    func body(_ index: Int) throws -> JSONValue { try JSONValue(validating: try #require(requests[index].body)) }
}

private func success(_ value: String, tag: String? = nil) -> Result<HTTPResponse, TransportFailure> {
    let fields = tag.map { [ConnectionRequest.Field("ETag", $0)] } ?? []
    let body = #"{"status":"success","value":\#(value),"logLines":[]}"#
    return .success(HTTPResponse(status: 200, fields: fields, body: Array(body.utf8)))
}

private func status(_ status: Int) -> Result<HTTPResponse, TransportFailure> { .success(HTTPResponse(status: status)) }

private let lost = Result<HTTPResponse, TransportFailure>.failure(.lost(reason: "x"))

@Suite(.timeLimit(.minutes(1))) struct HTTPClientTests {
    private struct Row: Codable, Equatable { var title: String }

    @Test func aQueryIsPostedWithItsParamsAndToken() async throws {
        let bridge = ScriptedBridge([success(#"{"data":[{"title":"x"}],"total":1}"#)])
        let rows = try await bridge.client().query("sessions:list", params: ["live": true], as: [Row].self)
        #expect(rows == [Row(title: "x")])
        let request = bridge.requests[0]
        #expect(request.method == "POST" && request.target == "/api/query")
        #expect(request.field("authorization") == "Bearer t1")
        #expect(try bridge.body(0).rawString == #"{"path":"sessions:list","args":{"live":true},"format":"json"}"#)
    }

    @Test(arguments: [
        ("https://a.example/", ""), ("wss://a.example/tinyvex", ""), ("https://a.example/b", "/b"),
        ("https://a.example/b/tinyvex", "/b"), ("https://a.example/b/?x=1", "/b"),
    ])
    func thePathOfTheEndpointIsAPrefix(url: String, prefix: String) async throws {
        let bridge = ScriptedBridge([success("null")])
        try await bridge.client(url).mutation("m")
        #expect(bridge.requests[0].target == prefix + "/api/mutation")
    }

    @Test func aLostMutationIsSentAgainUnderTheSameId() async throws {
        let bridge = ScriptedBridge([lost, .failure(.timedOut), success(#"{"title":"x"}"#), success("{}")])
        let client = try bridge.client()
        let row: Row = try await client.mutation("sessions:setTitle", args: Row(title: "x"))
        #expect(row == Row(title: "x"))
        let ids = try (0..<3).map { try bridge.body($0)["requestId"]?.stringValue }
        #expect(Set(ids).count == 1 && ids[0]?.isEmpty == false)
        #expect(bridge.pauses == [.seconds(1), .seconds(1)])
        try await client.mutation("sessions:setTitle", args: Row(title: "x"))
        #expect(try bridge.body(3)["requestId"]?.stringValue != ids[0])
    }

    @Test func onlyAnIdempotentActionIsSentAgain() async throws {
        let bridge = ScriptedBridge([lost, success("{}"), lost])
        let client = try bridge.client()
        try await client.action("sessions:cancel", args: ["sessionId": "s"])
        await #expect(throws: TinyvexError.outcomeUnknown) {
            try await client.action("sessions:prompt", args: ["sessionId": "s"], timeout: .seconds(3600))
        }
        #expect(bridge.requests.count == 3 && bridge.requests[2].timeout == .seconds(3600))
    }

    @Test func aRefusedTokenIsReplaced() async throws {
        let bridge = ScriptedBridge([status(401), success("{}"), success("{}"), status(401), status(401)])
        let client = try bridge.client()
        client.setAuthTokenSource { "t2" }
        try await client.mutation("m")
        try await client.mutation("m")
        #expect(bridge.requests.map { $0.field("Authorization") } == ["Bearer t1", "Bearer t2", "Bearer t2"])
        await #expect(throws: TinyvexError.unauthorized) { try await client.mutation("m") }
        // The source has no token other than the refused one.
        #expect(bridge.requests.count == 4)
    }

    @Test func callsThatFailTogetherRenewTheTokenOnce() async throws {
        let tokens = TokenKeeper("old")
        let count = Mutex(0)
        tokens.setSource {
            count.withLock { $0 += 1 }
            return "new"
        }
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<20 { group.addTask { await tokens.renew(after: "old") } }
            for await isNew in group { #expect(isNew) }
        }
        #expect(count.withLock { $0 } == 1 && tokens.token == "new")
    }

    @Test func anInvalidEndpointIsAnErrorOfTheFirstCall() async throws {
        let client = try ScriptedBridge([]).client("ftp://x")
        await #expect {
            try await client.mutation("m")
        } throws: {
            if case .transport(.invalidEndpoint) = $0 as? TinyvexError { true } else { false }
        }
    }
}

@Suite(.timeLimit(.minutes(1))) struct PollingTests {
    private func values(
        _ polled: PolledValues<[Int]>, _ count: Int
    ) async throws -> [[Int]] {
        var iterator = polled.makeAsyncIterator()
        var values: [[Int]] = []
        while values.count < count, let value = try await iterator.next() { values.append(value) }
        return values
    }

    @Test func onlyChangesAreDelivered() async throws {
        let bridge = ScriptedBridge([
            success("[1]", tag: "\"a\""), status(304), lost, status(304), success("[2]", tag: "\"b\""),
        ])
        let polled = try bridge.client().poll("sessions:list", every: .seconds(5), upTo: .seconds(8), as: [Int].self)
        #expect(try await values(polled, 2) == [[1], [2]])
        #expect(bridge.requests.map { $0.field("If-None-Match") } == [nil, "\"a\"", "\"a\"", "\"a\"", "\"a\""])
        #expect(bridge.requests.allSatisfy { $0.method == "GET" && $0.body == nil })
        #expect(bridge.requests[0].target == "/api/query?path=sessions%3Alist&args=%7B%7D")
        #expect(bridge.pauses == [.seconds(5), .seconds(8), .seconds(5), .seconds(8)])
    }

    @Test func equalValuesOfAServerWithoutTagsAreOne() async throws {
        let bridge = ScriptedBridge([success("[1]"), success("[1]"), success("[2]")])
        let polled = try bridge.client().poll("q", every: .seconds(5), as: [Int].self)
        #expect(try await values(polled, 2) == [[1], [2]])
    }

    @Test func longParamsAreSentInABody() async throws {
        let bridge = ScriptedBridge([success("[1]")])
        let text = String(repeating: "x", count: 9_000)
        let polled = try bridge.client().poll("q", params: ["search": text], every: .seconds(5), as: [Int].self)
        #expect(try await values(polled, 1) == [[1]])
        #expect(bridge.requests[0].method == "POST")
        #expect(try bridge.body(0)["args"]?["search"]?.stringValue == text)
    }

    @Test func aLastingErrorIsThrownAndEndsTheSequence() async throws {
        let bridge = ScriptedBridge([success("[1]"), status(404)])
        var iterator = try bridge.client().poll("q", every: .seconds(5), as: [Int].self).makeAsyncIterator()
        #expect(try await iterator.next() == [1])
        await #expect(throws: TinyvexError.transport(.refused(status: 404, reason: ""))) { try await iterator.next() }
        #expect(try await iterator.next() == nil)
        #expect(bridge.requests.count == 2)
    }

    @Test func aReaderThatDoesNotReadSendsNothing() async throws {
        let bridge = ScriptedBridge([success("[1]")])
        _ = try bridge.client().poll("q", every: .milliseconds(1), as: [Int].self).makeAsyncIterator()
        #expect(bridge.requests.isEmpty)
    }
}
