import Access
import Functions
import JSONScan
import TestSupport
import Testing
import Tinyvex

@testable import Agents
@testable import Bridge
@testable import EventLoop
@testable import Posix

/// An upgrader. Its requests are answered, and no replacement follows.
@LoopActor private final class Parts {
    let bridge: BridgeParts
    let upgrader: Upgrader
    private let requests = HTTPRequests()
    /// A request over HTTP waits for its answer.
    var areRequestsInProgress: Bool {
        get { requests.areInProgress }
        set { requests.areInProgress = newValue }
    }
    var endsConnections: Bool { requests.endsConnections }

    @LoopActor private final class HTTPRequests {
        var areInProgress = false
        var endsConnections = false
    }

    /// The results, in the order of the answers.
    private(set) var answers: [String] = []

    init() throws {
        bridge = try BridgeParts()
        let program = Upgrader.Program(arguments: ["serve"], environment: [], coreLimit: nil, issuers: nil)
        let overHTTP = Upgrader.Requests { [requests] in
            requests.areInProgress
        } endConnections: { [requests] in
            requests.endsConnections = true
        } keepConnections: { [requests] in
            requests.endsConnections = false
        }
        upgrader = Upgrader(
            program, user: 1, certificate: nil, registry: bridge.registry, agents: bridge.agents,
            clients: bridge.clients, requests: overHTTP, audit: bridge.audit, services: bridge.loop.services
        ) { (lock: 0, listeners: []) }
    }

    func replace(
        _ arguments: String = #"{"program":"/bin/true","format":2}"#, by identity: Identity = .localUser(1)
    ) throws {
        try upgrader.replace(Parameters(try JSONValue(validating: Array(arguments.utf8))), by: identity) { result in
            switch result {
            case .success(let response): self.answers.append(String(decoding: response.result, as: UTF8.self))
            case .failure(let rejection): self.answers.append(rejection.message)
            }
        }
    }
}

@Suite(.serialized) struct UpgraderTests {
    init() { LoopThread.start }

    private let success = #"{"replacing":true}"#

    @Test(arguments: [Identity.localUser(2), Identity(who: "token tk_1", role: .admin), .nobody])
    @LoopActor func onlyTheBridgesOwnUserReplacesTheProgram(identity: Identity) throws {
        let parts = try Parts()
        let rejection = #expect(throws: Rejection.self) { try parts.replace(by: identity) }
        #expect(rejection?.code == .readOnly)
        #expect(parts.answers.isEmpty)
    }

    @Test(arguments: [
        #"{"program":"true","format":2}"#, #"{"program":"/nonexistent","format":2}"#, #"{"format":2}"#,
        #"{"program":"/bin/true","format":1}"#, #"{"program":"/bin/true"}"#,
    ])
    @LoopActor func aProgramThatCannotContinueIsRefused(arguments: String) throws {
        let parts = try Parts()
        #expect(throws: Rejection.self) { try parts.replace(arguments) }
        #expect(parts.answers.isEmpty)
    }

    @Test @LoopActor func aStoppingBridgeIsNotReplaced() throws {
        let parts = try Parts()
        parts.upgrader.stop()
        #expect(throws: Rejection.self) { try parts.replace() }
    }

    @Test @LoopActor func aSettledBridgeAnswersInTheNextTurn() throws {
        let parts = try Parts()
        try parts.replace()
        #expect(parts.answers.isEmpty, "the request can have come in the middle of an agent's output")
        parts.bridge.loop.advance(by: .zero)
        #expect(parts.answers == [success])
    }

    @Test @LoopActor func aRequestWhoseClientHasGoneLeavesRoomForTheNext() throws {
        let parts = try Parts()
        for _ in 0..<2 {
            try parts.replace()
            parts.bridge.loop.advance(by: .zero)
        }
        #expect(parts.answers == [success, success])
    }

    @Test @LoopActor func theAnswerWaitsUntilTheSessionsAreStored() throws {
        let parts = try Parts()
        _ = parts.bridge.registry.begin(agent: "demo", id: "s", tenant: nil)
        try parts.replace()
        parts.bridge.loop.advance(by: .seconds(1))
        #expect(parts.answers.isEmpty)
        parts.bridge.log.answerAll()
        parts.bridge.loop.advance(by: .milliseconds(1))
        #expect(parts.answers == [success])
    }

    @Test @LoopActor func aLogThatStoresNothingForTenSecondsCausesARefusal() throws {
        let parts = try Parts()
        _ = parts.bridge.registry.begin(agent: "demo", id: "s", tenant: nil)
        try parts.replace()
        parts.bridge.loop.advance(by: .seconds(9))
        #expect(parts.answers.isEmpty)
        parts.bridge.loop.advance(by: .seconds(2))
        #expect(parts.answers.count == 1)
        #expect(parts.answers.first?.contains("acpbridge status") == true)
    }

    @Test @LoopActor func theAnswerWaitsForRequestsOverHTTP() throws {
        let parts = try Parts()
        parts.areRequestsInProgress = true
        try parts.replace()
        #expect(parts.endsConnections)
        parts.bridge.loop.advance(by: .seconds(1))
        #expect(parts.answers.isEmpty)
        parts.areRequestsInProgress = false
        parts.bridge.loop.advance(by: .milliseconds(2))
        #expect(parts.answers == [success])
        #expect(!parts.endsConnections, "the program was not replaced")
    }

    @Test @LoopActor func requestsOverHTTPDelayTheReplacementByTwoSeconds() throws {
        let parts = try Parts()
        parts.areRequestsInProgress = true
        try parts.replace()
        parts.bridge.loop.advance(by: .milliseconds(1_900))
        #expect(parts.answers.isEmpty)
        parts.bridge.loop.advance(by: .milliseconds(200))
        #expect(parts.answers == [success])
    }

    @Test @LoopActor func aSecondRequestWaitsForTheFirst() throws {
        let parts = try Parts()
        _ = parts.bridge.registry.begin(agent: "demo", id: "s", tenant: nil)
        try parts.replace()
        try parts.replace()
        parts.bridge.log.answerAll()
        parts.bridge.loop.advance(by: .milliseconds(2))
        #expect(parts.answers == [success, success])
    }

    @Test @LoopActor func aStopDuringTheWaitRefusesTheRequest() throws {
        let parts = try Parts()
        _ = parts.bridge.registry.begin(agent: "demo", id: "s", tenant: nil)
        try parts.replace()
        parts.upgrader.stop()
        parts.bridge.loop.advance(by: .milliseconds(1))
        #expect(parts.answers == ["the bridge is being stopped"])
    }
}
