import EventLoop

/// Actions that must run after updates that are not stored yet.
@LoopActor struct PublicationWaits {
    private typealias Place = (count: Int, action: @LoopActor (Int64) -> Void)

    /// Lines that must be sent to clients, each with the count of updates before it. Nil if there are none, because
    /// each append asks.
    private var places: FIFOQueue<Place>?
    /// At most one for each client that waits for a line.
    private var publications: [(mark: Int, action: @LoopActor () -> Void)] = []

    nonisolated init() {}

    /// True if actions wait for a publication.
    var areForPublication: Bool { !publications.isEmpty }

    mutating func add(behindLine count: Int, _ action: @escaping @LoopActor (Int64) -> Void) {
        places = places ?? FIFOQueue()
        places?.append((count, action))
    }

    mutating func add(through mark: Int, _ action: @escaping @LoopActor () -> Void) {
        publications.append((mark, action))
    }

    /// - Parameter number: returns the number of the last of the given count of updates, or nil while it is not known.
    mutating func takePlaced(_ number: (Int) -> Int64?) -> [(number: Int64, action: @LoopActor (Int64) -> Void)] {
        var placed: [(number: Int64, action: @LoopActor (Int64) -> Void)] = []
        while let waiter = places?.first, let number = number(waiter.count) {
            _ = places?.popFirst()
            placed.append((number, waiter.action))
        }
        if places?.isEmpty == true { places = nil }
        return placed
    }

    mutating func takePublished(_ isPublished: (Int) -> Bool) -> [@LoopActor () -> Void] {
        let ready = publications.filter { isPublished($0.mark) }
        publications.removeAll { isPublished($0.mark) }
        return ready.map(\.action)
    }
}
