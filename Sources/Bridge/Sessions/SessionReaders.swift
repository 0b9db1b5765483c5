import EventLoop

/// Who reads a session, and which of them have been sent everything and wait for more.
@LoopActor struct SessionReaders {
    private(set) var all: [Subscription] = []
    private(set) var atEnd: [Subscription] = []

    nonisolated init() {}

    mutating func add(_ reader: Subscription) { all.append(reader) }

    mutating func remove(_ reader: Subscription) {
        all.removeAll { $0 === reader }
        leftEnd(reader)
    }

    mutating func takeAll() -> [Subscription] {
        defer { self = SessionReaders() }
        return all
    }

    mutating func reachedEnd(_ reader: Subscription) {
        reader.endIndex = atEnd.count
        atEnd.append(reader)
    }

    /// In the same time however many there are.
    mutating func leftEnd(_ reader: Subscription) {
        guard let index = reader.endIndex, index < atEnd.count, atEnd[index] === reader else { return }
        let last = atEnd.removeLast()
        if last !== reader {
            atEnd[index] = last
            last.endIndex = index
        }
        reader.endIndex = nil
    }
}
