import Access
import LogAccess
import SessionRecords
import SessionStreams
import TestSupport
import Testing

@testable import EventLoop
@testable import LogRetention
@testable import Posix

/// A log that answers retention requests when the test calls for it.
@LoopActor private final class RetainingLog: LogClient {
    let damaged: (path: String, rescuedSessions: Int)? = nil
    var syncFailed: @LoopActor (LogError?) -> Void = { _ in }
    var filesRestored: @LoopActor ([String]) -> Void = { _ in }
    var filesLost: @LoopActor (LogError) -> Void = { _ in }
    private(set) var requests: [Retention] = []
    private var action: (@LoopActor (Answer) -> Void)?

    nonisolated init() {}

    var isIdle: Bool { action == nil }
    func read(_ request: ReadRequest.Query, then action: @escaping @LoopActor (Answer) -> Void) {}
    func checkFiles() {}
    func close() {}

    func write(_ request: WriteRequest.Operation, then action: @escaping @LoopActor (Answer) -> Void) {
        guard case .retain(let retention) = request else { return }
        requests.append(retention)
        self.action = action
    }

    func answer(_ answer: Answer) {
        let action = self.action
        self.action = nil
        action?(answer)
    }
}

@LoopActor private final class Parts {
    let loop = ManualLoop()
    let log = RetainingLog()
    private(set) var forgotten: [String] = []
    private(set) var leads: [Duration] = []
    /// The sessions that the hub does not have.
    var unshipped: Set<Int64>? = []
    private let policy: RetentionPolicy
    private lazy var registry = SessionRegistry(log: log, limits: Limits(), services: loop.services, loop: nil)
    private(set) lazy var watch = RetentionWatch(
        policy, registry, services: loop.services, unshipped: { [unowned self] in unshipped }, uptime: { 77 },
        forgot: { [unowned self] in forgotten.append($0.sessionId) },
        clockWasChecked: { [unowned self] in leads.append($0) })

    init(_ policy: RetentionPolicy, unshipped: Set<Int64>? = []) {
        self.policy = policy
        self.unshipped = unshipped
        _ = watch
    }

    func answer(_ sessions: [String] = [], isUnderWay: Bool = false, clockLead: Int64 = 0) {
        let incarnations = sessions.enumerated().map {
            Forgotten.Incarnation(sid: Int64($0), agent: "demo", sessionId: $1)
        }
        log.answer(
            .forgotten(Forgotten(incarnations: incarnations, isUnderWay: isUnderWay, clockLead: clockLead)))
    }
}

@Suite(.serialized) struct RetentionWatchTests {
    init() { LoopThread.start }

    @Test @LoopActor func theFirstRequestIsSentAtOnceAndHasTheLimits() {
        let parts = Parts(RetentionPolicy(age: .milliseconds(400), logBytes: 9_000))
        #expect(parts.log.requests.count == 1)
        let request = parts.log.requests.first
        #expect(request?.endedBefore == parts.loop.dateMilliseconds - 400)
        #expect(request?.usedBytes == 9_000)
        #expect(request?.clock == ClockReading(now: parts.loop.dateMilliseconds, uptime: 77, age: 400))
    }

    @Test @LoopActor func aPolicyWithoutAnAgeReadsNoClock() {
        let parts = Parts(RetentionPolicy(logBytes: 9_000))
        #expect(parts.log.requests.first?.endedBefore == nil)
        #expect(parts.log.requests.first?.clock == nil)
        parts.answer(clockLead: 5)
        #expect(parts.leads.isEmpty)
    }

    /// A tenth of the age, at least one second and at most one minute.
    @Test(arguments: [(2, 1), (100, 10), (100_000, 60)])
    @LoopActor func theIntervalIsATenthOfTheAgeWithinItsBounds(ageSeconds: Int, seconds: Int) {
        let parts = Parts(RetentionPolicy(age: .seconds(ageSeconds)))
        parts.answer()
        parts.loop.advance(by: .seconds(seconds) - .milliseconds(1))
        #expect(parts.log.requests.count == 1)
        parts.loop.advance(by: .milliseconds(1))
        #expect(parts.log.requests.count == 2)
    }

    @Test @LoopActor func eachDeletedSessionAndTheClocksLeadAreReported() {
        let parts = Parts(RetentionPolicy(age: .seconds(100)))
        parts.answer(["a", "b"], clockLead: 1_500)
        #expect(parts.forgotten == ["a", "b"])
        #expect(parts.leads == [.milliseconds(1_500)])
    }

    @Test @LoopActor func anUnfinishedDeletionContinuesSoonAndDeletesNothingByAge() {
        let parts = Parts(RetentionPolicy(age: .seconds(100), logBytes: 9_000))
        parts.answer(isUnderWay: true)
        parts.loop.advance(by: .milliseconds(200))
        #expect(parts.log.requests.count == 2)
        #expect(parts.log.requests.last?.endedBefore == nil)
        #expect(parts.log.requests.last?.usedBytes == 9_000)
    }

    @Test @LoopActor func unshippedSessionsAreKeptUntilTwiceTheAgeAndSize() {
        let parts = Parts(RetentionPolicy(age: .seconds(100), logBytes: 9_000), unshipped: [5])
        let now = parts.loop.dateMilliseconds
        #expect(parts.log.requests.map(\.endedBefore) == [now - 200_000])
        #expect(parts.log.requests.map(\.usedBytes) == [18_000])
        #expect(parts.log.requests.map(\.sparing) == [[]])
        parts.answer(["a"])
        #expect(parts.log.requests.map(\.endedBefore) == [now - 200_000, now - 100_000])
        #expect(parts.log.requests.map(\.usedBytes) == [18_000, 9_000])
        #expect(parts.log.requests.map(\.sparing) == [[], [5]])
        parts.answer(["b"])
        #expect(parts.forgotten == ["a", "b"])
        #expect(parts.log.isIdle)
    }

    @Test @LoopActor func anUnknownStateOfTheHubKeepsAllSessionsUntilTwiceTheAge() {
        let parts = Parts(RetentionPolicy(age: .seconds(100)), unshipped: nil)
        #expect(parts.log.requests.map(\.endedBefore) == [parts.loop.dateMilliseconds - 200_000])
        parts.answer()
        #expect(parts.log.isIdle)
        parts.unshipped = []
        parts.loop.advance(by: .seconds(10))
        #expect(parts.log.requests.last?.endedBefore == parts.loop.dateMilliseconds - 100_000)
    }

    @Test @LoopActor func aSizeThatCannotBeDoubledIsNoLimit() {
        let parts = Parts(RetentionPolicy(logBytes: .max), unshipped: nil)
        #expect(parts.log.requests.count == 1)
        #expect(parts.log.requests.first?.usedBytes == nil)
    }

    @Test @LoopActor func aFailedRequestIsRepeatedAfterTheInterval() {
        let parts = Parts(RetentionPolicy(age: .seconds(100)))
        parts.log.answer(.failed(.closed))
        #expect(parts.leads.isEmpty)
        parts.loop.advance(by: .seconds(10))
        #expect(parts.log.requests.count == 2)
    }

    @Test @LoopActor func aStoppedWatchSendsNoRequest() {
        let (waiting, answering) = (Parts(RetentionPolicy()), Parts(RetentionPolicy()))
        waiting.answer()
        waiting.watch.stop()
        answering.watch.stop()
        answering.answer(["a"])
        #expect(answering.forgotten.isEmpty)
        for parts in [waiting, answering] {
            parts.loop.advance(by: .seconds(600))
            #expect(parts.log.requests.count == 1)
        }
    }
}
