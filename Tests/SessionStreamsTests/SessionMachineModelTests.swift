import SessionRecords
import TestSupport
import Testing
import Tinyvex

@testable import SessionLog
@testable import SessionStreams

/// Drives a session machine with random events, against a log that is a list of lines.
private struct Model {
    private var machine = SessionMachine(unstoredLimitBytes: 12, at: 0)
    private var random: SeededGenerator
    /// The log: the lines by number, from 1.
    private var stored: [String] = []
    private var epoch: Int64 = 0
    private var inFlight: SessionMachine.Request?
    private var isRetryScheduled = false
    private var descriptionsInFlight = 0
    /// The log has refused the session's facts. They are tried again, also beside a request for lines.
    private var areFactsRefused = false
    private var receivedCount = 0
    private var discardedCount = 0
    /// True if the log has stored an append that it reported as failed. The lines can then be stored twice.
    private var hasLied = false
    private(set) var isCompleted = false
    private(set) var faults: [String] = []

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        perform(machine.claim(.fresh))
    }

    mutating func run(steps: Int) {
        for _ in 0..<steps where !isCompleted { step() }
        while !isCompleted, !isQuiet { settle() }
        check(machine.head == stored.count, "not everything that is stored was published")
        check(hasLied || stored.count + discardedCount == receivedCount, "a line was lost or stored twice")
    }

    private var isQuiet: Bool { inFlight == nil && !isRetryScheduled && machine.isSettled }

    private mutating func settle() {
        if inFlight != nil {
            answer(success: true)
        } else if isRetryScheduled {
            retry()
        } else {
            perform(machine.submit())
        }
    }

    private mutating func step() {
        switch Int.random(in: 0..<100, using: &random) {
        case ..<35: receive()
        case ..<40: machine.receive(entry: .turnEnd, [1], at: 0)
        case ..<55: perform(machine.submit())
        case ..<80: answer(success: Int.random(in: 0..<4, using: &random) > 0)
        case ..<90: retry()
        case ..<95: describe()
        case ..<98: perform(machine.ended(.closed))
        default: revive()
        }
    }

    private mutating func receive() {
        receivedCount += 1
        Array("\(receivedCount)".utf8).withUnsafeBufferPointer { machine.receive($0.span, at: 0, isReplay: false) }
    }

    private mutating func describe() {
        if descriptionsInFlight > 0 {
            descriptionsInFlight -= 1
            areFactsRefused = Int.random(in: 0..<4, using: &random) == 0
            perform(machine.described(areFactsRefused ? .diskIsFull : nil))
        } else {
            perform(machine.factsChanged())
        }
    }

    private mutating func revive() {
        if machine.end != nil { perform(machine.revived()) }
    }

    private mutating func retry() {
        guard isRetryScheduled else { return }
        isRetryScheduled = false
        perform(machine.retryDue())
    }

    // MARK: The log

    private mutating func answer(success: Bool) {
        guard let request = inFlight.take() else { return }
        switch request {
        case .claim:
            guard success else { return perform(machine.failed(.diskIsFull)) }
            epoch += 1
            perform(machine.claimed(.of(sid: 7, epoch: epoch, head: Int64(stored.count))))
        case .append(_, let epoch, let after, let items):
            check(epoch == self.epoch, "an append under an old epoch")
            guard after == stored.count else { return perform(machine.failed(.gap(head: Int64(stored.count)))) }
            let isStored = success || Int.random(in: 0..<3, using: &random) == 0
            if isStored { stored += items.filter { $0.lineCount > 0 }.flatMap(\.texts) }
            if isStored, !success { hasLied = true }
            let head = Int64(stored.count)
            perform(success ? machine.appended(head: head, timelineHead: head) : machine.failed(.diskIsFull))
        case .describe, .sizes, .trim, .history: break
        }
    }

    // MARK: Actions

    private mutating func perform(_ actions: [SessionMachine.Action]) {
        for action in actions {
            switch action {
            case .request(let request): submit(request)
            case .notify(.discarded(let lines)): discardedCount += lines
            case .notify(.completed): isCompleted = true
            case .notify: break
            case .publish(let items, let first): publish(items, first)
            case .scheduleRetry:
                check(!isRetryScheduled, "two retries are scheduled")
                check(inFlight == nil || areFactsRefused, "lines are retried while a request is in flight")
                isRetryScheduled = true
            case .cancelRetry: isRetryScheduled = false
            case .submit: perform(machine.submit())
            case .complete: perform(machine.completeIfDone())
            }
        }
    }

    private mutating func submit(_ request: SessionMachine.Request) {
        if case .describe = request {
            descriptionsInFlight += 1
            check(descriptionsInFlight == 1, "two descriptions are in flight")
        } else {
            check(inFlight == nil, "two requests are in flight")
            inFlight = request
        }
    }

    private mutating func publish(_ items: [LogItem], _ first: Int64) {
        let lines = items.filter { $0.lineCount > 0 }.flatMap(\.texts)
        let numbers = Int(first) - 1..<Int(first) - 1 + lines.count
        check(numbers.upperBound <= stored.count, "a line was sent before it was stored")
        check(numbers.upperBound > stored.count || Array(stored[numbers]) == lines, "a number with another line")
        check(numbers.upperBound == Int(machine.head), "a number was skipped or sent twice")
    }

    private mutating func check(_ holds: Bool, _ fault: String) {
        if !holds { faults.append(fault) }
    }
}

@Suite struct SessionMachineModelTests {
    @Test(arguments: 1...60 as ClosedRange<UInt64>)
    func linesArePublishedOnceInOrderAndOnlyAfterTheyAreStored(seed: UInt64) {
        var model = Model(seed: seed)
        model.run(steps: 1_000)
        #expect(model.faults == [], "seed \(seed)")
    }
}
