import Posix

/// An action that waits for its time. Dropping the handle does not cancel it.
@LoopActor package final class Timer {
    package let deadline: Instant
    private var action: (@LoopActor () -> Void)?

    init(deadline: Instant, action: @escaping @LoopActor () -> Void) {
        self.deadline = deadline
        self.action = action
    }

    package func cancel() { action = nil }

    package func fire() {
        let action = self.action
        self.action = nil
        action?()
    }

    var isCancelled: Bool { action == nil }
}

/// A binary heap of timers, earliest first. Cancelled ones are dropped when they come up, or when there are many.
@LoopActor package struct TimerQueue {
    private var heap: [Timer] = []
    private var tidyingCount = leastTidyingCount

    private nonisolated static let leastTidyingCount = 1_024

    var count: Int { heap.count }

    package nonisolated init() {}

    package mutating func add(at deadline: Instant, _ action: @escaping @LoopActor () -> Void) -> Timer {
        let timer = Timer(deadline: deadline, action: action)
        heap.append(timer)
        siftUp(heap.count - 1)
        if heap.count >= tidyingCount { dropCancelled() }
        return timer
    }

    /// Each client that comes and goes can leave a cancelled timer of ten minutes. Called again when the number of
    /// timers has doubled, so that the cost per timer is constant.
    private mutating func dropCancelled() {
        heap.removeAll(where: \.isCancelled)
        for index in heap.indices.reversed() { siftDown(index) }
        tidyingCount = max(Self.leastTidyingCount, 2 * heap.count)
    }

    package var nextDeadline: Instant? {
        mutating get {
            while let first = heap.first, first.isCancelled { removeFirst() }
            return heap.first?.deadline
        }
    }

    /// Takes out the next timer that is due; the caller fires it, and may add others meanwhile.
    package mutating func popDue(at now: Instant) -> Timer? {
        guard let deadline = nextDeadline, deadline <= now else { return nil }
        return removeFirst()
    }

    @discardableResult
    private mutating func removeFirst() -> Timer {
        heap.swapAt(0, heap.count - 1)
        let first = heap.removeLast()
        siftDown(0)
        return first
    }

    private mutating func siftUp(_ start: Int) {
        var child = start
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].deadline < heap[parent].deadline else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    private mutating func siftDown(_ start: Int) {
        var parent = start
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
                if heap[child].deadline < heap[least].deadline { least = child }
            }
            guard least != parent else { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
