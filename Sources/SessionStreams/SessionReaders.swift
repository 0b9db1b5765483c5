import EventLoop
import SessionRecords

/// A reader of a session.
@LoopActor protocol SessionReader: AnyObject {
    /// The index among the session's readers that are at the end.
    var endIndex: Int? { get set }
}

/// The readers of a session, and those of them that have been sent everything and wait for more. Adding and removing a
/// reader take constant time, regardless of the number of readers.
@LoopActor struct SessionReaders<Reader: SessionReader> {
    private var readers: [ObjectIdentifier: Reader] = [:]
    private(set) var atEnd: [Reader] = []
    /// Sends to readers that catch up, since the last piece.
    private var sends = 0
    /// The same before it; halved with each piece that fewer readers get.
    private var earlierSends = 0

    nonisolated init() {}

    var count: Int { readers.count }
    var all: [Reader] { Array(readers.values) }

    /// About how many readers will get the next piece of the stream. Readers that have stopped do not count.
    var receiverCount: Int { max(atEnd.count, sends, earlierSends) }

    mutating func noteSend() { sends += 1 }

    /// Call before a new piece.
    mutating func beginPiece() {
        earlierSends = max(sends, earlierSends / 2)
        sends = 0
    }

    mutating func add(_ reader: Reader) { readers[ObjectIdentifier(reader)] = reader }

    mutating func remove(_ reader: Reader) {
        readers[ObjectIdentifier(reader)] = nil
        leftEnd(reader)
    }

    mutating func removeAll() -> [Reader] {
        defer { self = SessionReaders() }
        return all
    }

    mutating func reachedEnd(_ reader: Reader) {
        reader.endIndex = atEnd.count
        atEnd.append(reader)
    }

    mutating func leftEnd(_ reader: Reader) {
        guard let index = reader.endIndex, index < atEnd.count, atEnd[index] === reader else { return }
        let last = atEnd.removeLast()
        if last !== reader {
            atEnd[index] = last
            last.endIndex = index
        }
        reader.endIndex = nil
    }
}
