import Access
import JSONScan
import LiveQueries
import TestSupport
import Testing
import Tinyvex

@testable import EventLoop
@testable import Functions

/// A queue. The test completes its mutations and advances its clock.
@LoopActor private final class QueueUnderTest {
    let loop = ManualLoop()
    private(set) lazy var queue = MutationQueue(services: loop.services)
    /// The names of the mutations that were started, in their order.
    private(set) var started: [String] = []
    private var running: [@LoopActor (QueryOutcome) -> Void] = []
    private(set) var outcomes: [String] = []

    func submit(
        _ name: String, id: String? = nil, by who: String = "uid 1000", as caller: String? = nil, waits: Bool = true
    ) {
        let call = CallRequest(requestId: id, name: name, arguments: Parameters(nil))
        queue.submit(call, by: Identity(who: who, role: .admin), waits: waits) { [unowned self] finish in
            started.append(name)
            running.append(finish)
        } then: { [unowned self] outcome in
            outcomes.append("\(caller ?? name): \(text(outcome))")
        }
    }

    private func text(_ outcome: QueryOutcome) -> String {
        switch outcome {
        case .success(let bytes): String(decoding: bytes, as: UTF8.self)
        case .failure(let rejection): rejection.message
        }
    }

    /// Lets the loop run its next turn.
    func turn() { loop.advance(by: .zero) }

    func complete(_ outcome: QueryOutcome) {
        guard !running.isEmpty else { return }
        running.removeFirst()(outcome)
    }

    func complete(_ text: String) { complete(.success(Array(text.utf8))) }
}

@Suite(.timeLimit(.minutes(1))) struct MutationQueueTests {
    init() { LoopThread.start }

    @Test @LoopActor func aMutationThatDependsOnNoOtherDoesNotWait() {
        let under = QueueUnderTest()
        under.submit("a")
        under.turn()
        under.submit("b", id: "1", waits: false)
        under.submit("b", id: "1", as: "again", waits: false)
        #expect(under.started == ["a", "b"])
        under.complete("1")
        under.complete("2")
        #expect(under.outcomes == ["a: 1", "b: 2", "again: 2"])
    }

    @Test @LoopActor func mutationsRunOneAtATimeInSeparateTurns() {
        let under = QueueUnderTest()
        under.submit("a")
        under.submit("b")
        #expect(under.started.isEmpty)
        under.turn()
        #expect(under.started == ["a"])
        under.complete("1")
        #expect(under.started == ["a"] && under.outcomes == ["a: 1"])
        under.turn()
        under.complete("2")
        #expect(under.started == ["a", "b"] && under.outcomes == ["a: 1", "b: 2"])
    }

    @Test @LoopActor func eachTurnStartsOneOfAThousandMutations() {
        let under = QueueUnderTest()
        for number in 0..<1_000 { under.submit("\(number)") }
        for number in 0..<1_000 {
            under.turn()
            #expect(under.started.count == number + 1)
            under.complete("")
        }
        #expect(under.outcomes.count == 1_000)
    }

    @Test @LoopActor func aRepeatedRunningCallReceivesItsOutcome() {
        let under = QueueUnderTest()
        under.submit("a", id: "1", as: "first")
        under.submit("a", id: "1", as: "second")
        under.turn()
        under.complete("x")
        under.turn()
        #expect(under.started == ["a"] && under.outcomes == ["first: x", "second: x"])
    }

    @Test @LoopActor func aRepeatedFinishedCallDoesNotRunAgain() {
        let under = QueueUnderTest()
        under.submit("a", id: "1", as: "first")
        under.turn()
        under.complete("x")
        under.submit("a", id: "1", as: "second")
        under.turn()
        #expect(under.started == ["a"] && under.outcomes == ["first: x", "second: x"])
    }

    @Test @LoopActor func anIdThatWasUsedForAnotherCallIsRefused() {
        let under = QueueUnderTest()
        under.submit("a", id: "1")
        under.submit("b", id: "1")
        #expect(under.outcomes.count == 1 && under.outcomes[0].contains("was used for another mutation"))
    }

    @Test @LoopActor func usersDoNotShareIds() {
        let under = QueueUnderTest()
        under.submit("a", id: "1", by: "uid 1000")
        under.submit("b", id: "1", by: "uid 1001")
        for _ in 0..<2 {
            under.turn()
            under.complete("x")
        }
        #expect(under.started == ["a", "b"])
    }

    @Test @LoopActor func callsWithoutAnIdAlwaysRun() {
        let under = QueueUnderTest()
        for _ in 0..<2 {
            under.submit("a")
            under.turn()
            under.complete("x")
        }
        #expect(under.started == ["a", "a"])
    }

    @Test @LoopActor func aCallThatFailedInternallyRunsAgain() {
        let under = QueueUnderTest()
        under.submit("a", id: "1")
        under.turn()
        under.complete(.failure(Rejection(.mutationFailed, "no disk", rpcCode: .internalError)))
        under.submit("a", id: "1")
        under.turn()
        under.complete("x")
        #expect(under.started == ["a", "a"] && under.outcomes == ["a: no disk", "a: x"])
    }

    @Test @LoopActor func anOutcomeIsForgottenAfterItsLifetime() {
        let under = QueueUnderTest()
        for _ in 0..<2 {
            under.submit("a", id: "1")
            under.turn()
            under.complete("x")
            under.loop.advance(by: RequestLedger.lifetime)
        }
        #expect(under.started == ["a", "a"])
    }
}
