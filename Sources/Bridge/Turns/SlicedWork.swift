import EventLoop

/// Items that are handled in their order, for a bounded time in each turn of the loop (``TurnBudget``).
///
/// For work of which a peer can cause any amount in one turn: what remains is continued in the next turn, after what
/// agents, editors and clients have sent meanwhile. A single item is not divided.
@LoopActor final class SlicedWork<Item> {
    private let handle: @LoopActor (Item) -> Void
    private var budget: TurnBudget
    private var waiting = FIFOQueue<Item>()
    private var isScheduled = false
    private var isRunning = false

    init(budget: TurnBudget = TurnBudget(), _ handle: @escaping @LoopActor (Item) -> Void) {
        self.budget = budget
        self.handle = handle
    }

    var isEmpty: Bool { waiting.isEmpty }

    /// Whether an item can be handled without being added: this turn has time, and no item waits.
    var hasTime: Bool { waiting.isEmpty && budget.hasTime }

    /// Adds an item, to be handled once the caller has returned to the loop.
    func add(_ item: Item) {
        waiting.append(item)
        if !isRunning { schedule() }
    }

    /// Adds items and handles what this turn has time for.
    func run(_ items: some Sequence<Item>) {
        for item in items { waiting.append(item) }
        run()
    }

    /// Handles all that waits, however long that takes.
    func finish() {
        while let item = waiting.popFirst() { handle(item) }
    }

    private func run() {
        guard !isRunning else { return }
        isRunning = true
        defer { isRunning = false }
        while !waiting.isEmpty, budget.hasTime, let item = waiting.popFirst() { handle(item) }
        if !waiting.isEmpty { schedule() }
    }

    private func schedule() {
        guard !isScheduled else { return }
        isScheduled = true
        EventLoop.main.schedule(after: .zero) { [self] in
            isScheduled = false
            run()
        }
    }
}
