import EventLoop
import SessionRecords

/// A reader of a session.
@LoopActor protocol SessionReader: AnyObject {
    /// The index among the session's readers that are at the end.
    var endIndex: Int? { get set }
    /// The piece after which it was last sent something: see ``SessionReaders/beginPiece()``.
    var servedPiece: Int { get set }
}

/// The readers of a session, and those of them that have been sent everything and wait for more. Adding and removing a
/// reader take constant time, regardless of the number of readers.
@LoopActor struct SessionReaders<Reader: SessionReader> {
    private var readers: [ObjectIdentifier: Reader] = [:]
    private(set) var atEnd: [Reader] = []
    private var piece = 0
    /// Readers that have joined or were sent something since the last piece.
    private var served = 0
    /// The number of readers that got recent pieces. It falls by a sixteenth for each piece that fewer readers get, because
    /// readers that catch up do not all get a part of each piece before the next one is read.
    private var earlierServed = 0

    nonisolated init() {}

    var count: Int { readers.count }
    var all: [Reader] { Array(readers.values) }

    /// Notes that a reader has joined, or was sent a part of the updates.
    mutating func served(_ reader: Reader) {
        guard reader.servedPiece != piece else { return }
        reader.servedPiece = piece
        served += 1
    }

    /// Call when a new piece of the updates, or a page of the log, was read. Returns about how many readers will get it.
    /// Readers that have stopped do not count.
    mutating func beginPiece() -> Int {
        piece += 1
        earlierServed = max(served, earlierServed - (earlierServed + 15) / 16)
        served = 0
        return earlierServed
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
