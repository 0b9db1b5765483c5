import Access
import JSONScan
import LogAccess
import Peers
import SessionRecords
import SessionStreams
import TestSupport
import Testing
import Tinyvex

@testable import EventLoop
@testable import Functions
@testable import Posix

/// A log that keeps the reads of one session until they are answered, and answers others at once.
@LoopActor private final class ReadLog: LogClient {
    let damaged: (path: String, rescuedSessions: Int)? = nil
    var syncFailed: @LoopActor (LogError?) -> Void = { _ in }
    var filesRestored: @LoopActor ([String]) -> Void = { _ in }
    var filesLost: @LoopActor (LogError) -> Void = { _ in }
    var record = ReadLog.record(head: 1, tenant: "a")
    private(set) var reads = 0
    private var waiting: [@LoopActor (Answer) -> Void] = []

    nonisolated init() {}

    var isIdle: Bool { true }
    func checkFiles() {}
    func close() {}
    func write(_ request: WriteRequest.Operation, then action: @escaping @LoopActor (Answer) -> Void) {}

    func read(_ request: ReadRequest.Query, then action: @escaping @LoopActor (Answer) -> Void) {
        switch request {
        case .logId: action(.logId(1))
        case .sessions: action(.listing(SessionListing(records: [record], hasMore: false)))
        default:
            reads += 1
            waiting.append(action)
        }
    }

    func answer() {
        let (actions, answer) = (waiting, Answer.sessions([record]))
        waiting = []
        for action in actions { action(answer) }
    }

    nonisolated static func record(head: Int64, tenant: String) -> SessionRecord {
        SessionRecord(
            sid: 7, agent: "a", sessionId: "s", title: nil, cwd: nil, firstPrompt: nil, tenant: tenant,
            label: SessionLabel(title: nil, tags: [], isArchived: false), journal: Journal(logId: 1, sid: 7, epoch: 1),
            createdTs: 1, lastTs: 1, oldest: 1, head: head, timelineHead: head, state: .ended, exit: nil)
    }
}

@Suite(.serialized) struct LogReadsTests {
    init() { LoopThread.start }

    @LoopActor private final class Parts {
        let loop = ManualLoop()
        let log = ReadLog()
        private(set) lazy var registry = SessionRegistry(
            log: log, limits: Limits(), services: loop.services, loop: nil)
        private(set) lazy var reads = LogReads(
            registry, HistoryReads(timers: loop.services.timers), services: loop.services)
        private(set) var answers: [JSONValue] = []
        private(set) var rejections: [Rejection] = []

        func read(_ request: LogRequest, by identity: Identity) {
            let arguments = request.arguments(log: request == .identity ? nil : 1)
            let parameters = Parameters(try? JSONValue(validating: arguments))
            reads.read(parameters, for: identity, placed: {}) { [self] result in
                switch result {
                case .success(let response): (try? JSONValue(validating: response.result)).map { answers.append($0) }
                case .failure(let rejection): rejections.append(rejection)
                }
            }
        }
    }

    private static let admin = Identity(who: "admin", role: .admin)
    private static func observer(_ number: Int) -> Identity { Identity(who: "token \(number)", role: .observe) }
    private static let known = LogRequest.change(
        of: .init(sid: 7, epoch: 1, timelineHead: 1, isLive: false, isRunning: false, queue: []))

    @Test @LoopActor func oneUserTakesAFifthOfThePlacesAndAllUsersLeaveSomeToAdmins() {
        let parts = Parts()
        for _ in 0..<2_001 { parts.read(Self.known, by: Self.observer(0)) }
        #expect(parts.rejections.map(\.code) == [.limitExceeded])
        for number in 1...4 {
            for _ in 0..<2_000 { parts.read(Self.known, by: Self.observer(number)) }
        }
        #expect(parts.rejections.count == 1 + 2_500)
        for _ in 0..<100 { parts.read(Self.known, by: Self.admin) }
        #expect(parts.rejections.count == 1 + 2_500 && parts.answers.isEmpty)
    }

    @Test @LoopActor func manyRequestsShareTheReadsOfTheirSession() {
        let parts = Parts()
        for _ in 0..<1_000 { parts.read(Self.known, by: Self.observer(0)) }
        parts.log.answer()
        parts.log.answer()
        // One for the first request, and one for those that arrived meanwhile.
        #expect(parts.log.reads == 2 && parts.answers.isEmpty)
        parts.log.record = ReadLog.record(head: 2, tenant: "a")
        parts.reads.noteChange(sid: 7)
        #expect(parts.log.reads == 3)
        parts.log.answer()
        #expect(parts.answers.count == 1_000)
        for _ in 0..<2_000 { parts.read(Self.known, by: Self.observer(0)) }
        #expect(parts.rejections.isEmpty, "the places are free again")
    }

    @Test @LoopActor func aTenantLearnsNothingOfOtherTenantsWork() throws {
        let parts = Parts()
        parts.reads.bridgeName = "the-machine"
        let tenant = Identity(who: "b", role: .observe, tenant: "a")
        let list = LogRequest.list(limit: 10, after: nil, changes: nil)
        parts.read(list, by: tenant)
        for _ in 0..<5 { parts.reads.noteChange(sid: 9) }
        parts.read(list, by: tenant)
        let states = parts.answers.compactMap { $0["changes"]?.int64Value }
        #expect(states.count == 2 && states[0] == states[1])
        parts.read(.list(limit: 10, after: nil, changes: states.first), by: tenant)
        #expect(parts.answers.last?["sessions"] == nil)
        parts.log.record = ReadLog.record(head: 2, tenant: "a")
        parts.read(.list(limit: 10, after: nil, changes: states.first), by: tenant)
        #expect(parts.answers.last?["sessions"]?.elements.count == 1)
        parts.read(.identity, by: tenant)
        #expect(parts.answers.last?["bridge"]?.stringValue == "bridge")
        parts.read(.identity, by: Self.observer(0))
        #expect(parts.answers.last?["bridge"]?.stringValue == "the-machine")
    }
}
