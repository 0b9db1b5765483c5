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

    nonisolated init() {}

    var count: Int { readers.count }
    var all: [Reader] { Array(readers.values) }

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
