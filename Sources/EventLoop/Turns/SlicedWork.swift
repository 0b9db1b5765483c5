/// Performs pieces of work in order, for a bounded time in each turn of the loop (``TurnBudget``).
///
/// Use this for work of which a peer can cause any amount in one turn. The remaining pieces are performed in the next
/// turn, after the messages that agents, editors and clients have sent meanwhile. A single piece is not divided.
///
/// A piece is a closure instead of an element of a generic type: calls of a generic type from another target are not
/// specialized, and each update of an agent passes through here.
@LoopActor package final class SlicedWork {
    package typealias Piece = @LoopActor () -> Void

    private let timers: any TimerScheduler
    // These two are used for each update. Their functions call no piece, so two uses cannot overlap.
    @exclusivity(unchecked) private var budget: TurnBudget
    @exclusivity(unchecked) private var waiting = FIFOQueue<Piece>()
    private var isScheduled = false
    private var isRunning = false

    package init(_ services: LoopServices) {
        timers = services.timers
        budget = TurnBudget(time: services.time)
    }

    package var isEmpty: Bool { waiting.isEmpty }

    /// True if work can be done without being added: this turn has time, and nothing is waiting.
    package var hasTime: Bool { waiting.isEmpty && budget.hasTime }

    /// Adds a piece, which is performed after the caller has returned to the loop.
    package func add(_ piece: @escaping Piece) {
        waiting.append(piece)
        if !isRunning { schedule() }
    }

    /// Adds a piece for each item, and performs as many as this turn has time for.
    package func run<Item>(_ items: [Item], _ perform: @escaping @LoopActor (Item) -> Void) {
        for item in items { waiting.append { perform(item) } }
        run()
    }

    /// Performs everything that waits, however long that takes.
    package func finish() {
        while let piece = waiting.popFirst() { piece() }
    }

    private func run() {
        guard !isRunning else { return }
        isRunning = true
        defer { isRunning = false }
        while !waiting.isEmpty, budget.hasTime, let piece = waiting.popFirst() { piece() }
        if !waiting.isEmpty { schedule() }
    }

    private func schedule() {
        guard !isScheduled else { return }
        isScheduled = true
        timers.soon { [self] in
            isScheduled = false
            run()
        }
    }
}
