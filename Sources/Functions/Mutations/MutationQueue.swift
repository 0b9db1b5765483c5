import Access
import EventLoop
import JSONScan
import LiveQueries
import Tinyvex

/// Runs the mutations of all connections one after another, except those that depend on no other, and each `requestId` only
/// once.
///
/// A connection runs one request at a time, so the number of connections bounds the length of this queue.
@LoopActor final class MutationQueue {
    typealias Work = @LoopActor (@escaping @LoopActor (QueryOutcome) -> Void) -> Void

    private let services: LoopServices
    private var ledger = RequestLedger()
    private var waiting = FIFOQueue<@LoopActor () -> Void>()
    private var isRunning = false
    /// Repeated calls of mutations that are running or queued.
    private var repetitions: [RequestLedger.Key: [@LoopActor (QueryOutcome) -> Void]] = [:]

    init(services: LoopServices) { self.services = services }

    /// - Parameters:
    ///   - waits: False for a mutation that depends on no other: it does not wait for one that is slow.
    ///   - work: Performs the mutation. It is called at most once, and calls its argument once with the outcome.
    func submit(
        _ call: CallRequest, by identity: Identity, waits: Bool = true, work: @escaping Work,
        then finish: @escaping @LoopActor (QueryOutcome) -> Void
    ) {
        guard let requestId = call.requestId else { return run(work, waits, then: finish) }
        let key = RequestLedger.Key(who: identity.who, tenant: identity.tenant, requestId: requestId)
        let meaning = RequestLedger.Call(name: call.name, arguments: call.arguments.canonicalText)
        switch ledger.begin(key, meaning, at: services.time.now) {
        case .run: run(work, waits) { [self] outcome in finished(key, outcome, finish) }
        case .wait: repetitions[key, default: []].append(finish)
        case .repeated(let outcome): finish(outcome)
        case .mismatch:
            finish(.failure(.invalidParams("requestId \(quoted(requestId)) was used for another mutation before")))
        }
    }

    private func finished(
        _ key: RequestLedger.Key, _ outcome: QueryOutcome, _ finish: @LoopActor (QueryOutcome) -> Void
    ) {
        ledger.finish(key, outcome, at: services.time.now)
        let repeated = repetitions.removeValue(forKey: key) ?? []
        finish(outcome)
        for finish in repeated { finish(outcome) }
    }

    private func run(
        _ work: @escaping Work, _ waits: Bool, then finish: @escaping @LoopActor (QueryOutcome) -> Void
    ) {
        guard waits else { return work(finish) }
        waiting.append { [self] in
            work { [self] outcome in
                finish(outcome)
                isRunning = false
                runNext()
            }
        }
        runNext()
    }

    /// Starts the next mutation in the loop's next turn, so that a thousand mutations that finish at once do not nest a
    /// thousand calls deep.
    private func runNext() {
        guard !isRunning, !waiting.isEmpty else { return }
        isRunning = true
        services.timers.soon { [self] in waiting.popFirst()?() }
    }
}
