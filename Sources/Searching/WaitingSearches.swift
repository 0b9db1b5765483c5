import EventLoop

/// Searches that wait for the index, at most ``SessionFinder/searchLimit``.
struct WaitingSearches {
    private var waiting: [(number: Int, action: @LoopActor (Bool) -> Void)] = []
    private var latest = 0

    var isEmpty: Bool { waiting.isEmpty }

    mutating func add(_ action: @escaping @LoopActor (Bool) -> Void) -> Int {
        latest += 1
        waiting.append((latest, action))
        return latest
    }

    /// Removes and returns the searches that were added first, through this number.
    mutating func take(through number: Int) -> [@LoopActor (Bool) -> Void] {
        let due = waiting.prefix { $0.number <= number }.map(\.action)
        waiting.removeFirst(due.count)
        return due
    }
}
