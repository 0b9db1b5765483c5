import EventLoop

/// What has to come behind updates that are not stored yet.
@LoopActor struct PublicationWaits {
    /// Lines that clients are owed, by how many updates came before each.
    private var places = FIFOQueue<(count: Int, action: @LoopActor (Int64) -> Void)>()
    /// One for each client that is owed a line at most.
    private var publications: [(mark: Int, action: @LoopActor () -> Void)] = []

    nonisolated init() {}

    mutating func add(behindLine count: Int, _ action: @escaping @LoopActor (Int64) -> Void) {
        places.append((count, action))
    }

    mutating func add(through mark: Int, _ action: @escaping @LoopActor () -> Void) {
        publications.append((mark, action))
    }

    /// - Parameter number: of the last of so many updates, nil while that is not known.
    mutating func takePlaced(_ number: (Int) -> Int64?) -> [(number: Int64, action: @LoopActor (Int64) -> Void)] {
        var placed: [(number: Int64, action: @LoopActor (Int64) -> Void)] = []
        while let waiter = places.first, let number = number(waiter.count) {
            _ = places.popFirst()
            placed.append((number, waiter.action))
        }
        return placed
    }

    mutating func takePublished(_ isPublished: (Int) -> Bool) -> [@LoopActor () -> Void] {
        guard !publications.isEmpty else { return [] }
        let ready = publications.filter { isPublished($0.mark) }
        publications.removeAll { isPublished($0.mark) }
        return ready.map(\.action)
    }
}
