import TestSupport
import Testing

@testable import EventLoop
@testable import Posix
@testable import SessionStreams

@LoopActor private final class Reader: SessionReader {
    var endIndex: Int?
    var servedPiece = -1
    nonisolated init() {}
}

@Suite(.serialized) struct SessionReadersTests {
    init() { LoopThread.start }

    @Test @LoopActor func readersAtTheEndAreTrackedExactly() {
        var random = SeededGenerator(seed: 9)
        var readers = SessionReaders<Reader>()
        let all = (0..<50).map { _ in Reader() }
        var (present, atEnd): (Set<ObjectIdentifier>, Set<ObjectIdentifier>) = ([], [])
        for _ in 0..<5_000 {
            guard let reader = all.randomElement(using: &random) else { continue }
            let id = ObjectIdentifier(reader)
            if !present.contains(id) {
                readers.add(reader)
                present.insert(id)
            } else if Bool.random(using: &random) {
                readers.remove(reader)
                present.remove(id)
                atEnd.remove(id)
            } else if atEnd.contains(id) {
                readers.leftEnd(reader)
                atEnd.remove(id)
            } else {
                readers.reachedEnd(reader)
                atEnd.insert(id)
            }
            #expect(Set(readers.all.map { ObjectIdentifier($0) }) == present)
            #expect(Set(readers.atEnd.map { ObjectIdentifier($0) }) == atEnd && readers.atEnd.count == atEnd.count)
        }
    }

    @Test @LoopActor func theCostOfRemovingAReaderIsIndependentOfTheirCount() {
        let cost = WorkCost { count in
            var readers = SessionReaders<Reader>()
            let all = (0..<count).map { _ in Reader() }
            for reader in all {
                readers.add(reader)
                readers.reachedEnd(reader)
            }
            for reader in all.reversed() { readers.remove(reader) }
        }
        #expect(cost.isLinear, "\(cost)")
    }

    @Test @LoopActor func readersThatHaveStoppedAreNotExpectedToGetTheNextPiece() {
        var readers = SessionReaders<Reader>()
        let all = (0..<100).map { _ in Reader() }
        for reader in all { readers.add(reader) }
        #expect(readers.beginPiece() == 0)
        for reader in all.prefix(60) { readers.served(reader) }
        #expect(readers.beginPiece() == 60)
        #expect(readers.beginPiece() == 56)
        #expect((0..<60).map { _ in readers.beginPiece() }.last == 0)
    }

    @Test @LoopActor func aReaderThatIsServedOftenIsOneReceiver() {
        var readers = SessionReaders<Reader>()
        let reader = Reader()
        for _ in 0..<1_000 { readers.served(reader) }
        #expect(readers.beginPiece() == 1)
        for _ in 0..<1_000 { readers.served(reader) }
        #expect(readers.beginPiece() == 1)
    }
}
