import Access
import EventLoop
import JSONScan
import LogAccess
import Peers
import SessionRecords
import SessionStreams
import TestSupport
import Testing
import Tinyvex

@testable import Functions

/// A log that has one session, and stores nothing before the test asks it to.
@LoopActor private final class SlowLog: LogClient {
    let damaged: (path: String, rescuedSessions: Int)? = nil
    var syncFailed: @LoopActor (LogError?) -> Void = { _ in }
    var filesRestored: @LoopActor ([String]) -> Void = { _ in }
    var filesLost: @LoopActor (LogError) -> Void = { _ in }
    let record = SessionRecord(
        sid: 3, agent: "codex", sessionId: "s", title: nil, cwd: nil, firstPrompt: nil, tenant: nil,
        label: SessionLabel(), journal: Journal(logId: 7, sid: 3, epoch: 1), createdTs: 1, lastTs: 2, oldest: 1,
        head: 0,
        timelineHead: 0, state: .live, exit: nil)
    private var waiting: (@LoopActor (Answer) -> Void)?

    nonisolated init() {}

    var isIdle: Bool { waiting == nil }
    func checkFiles() {}
    func close() {}

    func read(_ request: ReadRequest.Query, then action: @escaping @LoopActor (Answer) -> Void) {
        if case .logId = request { action(.logId(7)) } else { action(.sessions([record])) }
    }

    func write(_ request: WriteRequest.Operation, then action: @escaping @LoopActor (Answer) -> Void) {
        switch request {
        case .claim:
            action(
                .claimed(Lease(journal: record.journal, oldest: 1, head: 0, timelineHead: 0, wasCreated: true)))
        case .append: waiting = action
        default: action(.described)
        }
    }

    func store() {
        waiting?(.appended(head: 1, timelineHead: 1))
        waiting = nil
    }
}

@Suite(.timeLimit(.minutes(1))) struct CurrentRecordTests {
    init() { LoopThread.start }

    /// The row of the bridge's own list, and the row that a peer shows for the same record.
    @LoopActor private func rows(_ registry: SessionRegistry, _ record: SessionRecord) throws -> [SessionSummary] {
        let services = ManualLoop().services
        let reads = LogReads(registry, HistoryReads(timers: services.timers), services: services)
        let request = LogRequest.incarnation(sid: record.sid)
        let parameters = Parameters(try JSONValue(validating: request.arguments(log: 7)))
        var json: [UInt8] = []
        reads.read(parameters, for: .localUser(0), placed: {}) { json = (try? $0.get().result) ?? [] }
        guard case .records(let records, _) = LogAnswer(try JSONValue(validating: json), to: request, log: 7) else {
            return []
        }
        let shown = try #require(records.first).record(of: "laptop", unreachableTs: nil)
        return [
            SessionSummary(registry.current(record), isRunning: false), SessionSummary(shown, isRunning: false),
        ]
    }

    @Test @LoopActor func anEndedSessionHasItsEndBeforeItsLastUpdateIsStoredAndAPeerShowsTheSame() throws {
        let log = SlowLog()
        let registry = SessionRegistry(log: log, limits: Limits(), services: ManualLoop().services, loop: nil)
        let session = registry.begin(agent: "codex", id: "s", tenant: nil)
        session.describe(title: "The sign-in")
        #expect(try rows(registry, log.record).map(\.end) == [nil, nil])
        session.note(.turnEnd, Array("{}".utf8))
        session.end(.closed)
        let before = try rows(registry, log.record)
        #expect(before.map(\.live) == [true, true] && before.map(\.end) == [.closed, .closed])
        log.store()
        let after = try rows(registry, log.record)
        #expect(after.map(\.live) == [false, false] && after.map(\.end) == [.closed, .closed])
        #expect(after.map(\.title) == ["The sign-in", "The sign-in"])
    }
}
