/// Handles items in order, for a bounded time in each turn of the loop (``TurnBudget``).
///
/// Use this for work of which a peer can cause any amount in one turn. The remaining items are handled in the next
/// turn, after the messages that agents, editors and clients have sent meanwhile. A single item is not divided.
///
/// It is inlinable for the same reason as ``FIFOQueue``.
@LoopActor package final class SlicedWork<Item> {
    @usableFromInline let handle: @LoopActor (Item) -> Void
    @usableFromInline let timers: any TimerScheduler
    @usableFromInline var budget: TurnBudget
    @usableFromInline var waiting = FIFOQueue<Item>()
    @usableFromInline var isScheduled = false
    @usableFromInline var isRunning = false

    @inlinable package init(_ services: LoopServices, _ handle: @escaping @LoopActor (Item) -> Void) {
        timers = services.timers
        budget = TurnBudget(time: services.time)
        self.handle = handle
    }

    @inlinable var isEmpty: Bool { waiting.isEmpty }

    /// True if an item can be handled without being added: this turn has time, and no item is waiting.
    @inlinable package var hasTime: Bool { waiting.isEmpty && budget.hasTime }

    /// Adds an item, which is handled after the caller has returned to the loop.
    @inlinable package func add(_ item: Item) {
        waiting.append(item)
        if !isRunning { schedule() }
    }

    /// Adds items and handles as many as this turn has time for.
    @inlinable package func run(_ items: some Sequence<Item>) {
        for item in items { waiting.append(item) }
        run()
    }

    /// Handles all waiting items, however long that takes.
    @inlinable package func finish() {
        while let item = waiting.popFirst() { handle(item) }
    }

    @inlinable func run() {
        guard !isRunning else { return }
        isRunning = true
        defer { isRunning = false }
        while !waiting.isEmpty, budget.hasTime, let item = waiting.popFirst() { handle(item) }
        if !waiting.isEmpty { schedule() }
    }

    @inlinable func schedule() {
        guard !isScheduled else { return }
        isScheduled = true
        timers.schedule(after: .zero) { [self] in
            isScheduled = false
            run()
        }
    }
}
