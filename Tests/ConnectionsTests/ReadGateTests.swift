import TestSupport
import Testing

@testable import Connections
@testable import EventLoop
@testable import Posix

@LoopActor private final class Handler: PollHandler {
    nonisolated init() {}
    func pollReady(_ watch: Watch, _ readiness: Readiness) {}
}

/// A gate on a writer's socket. The manual loop shows what the socket is watched for.
@LoopActor private final class Rig {
    let loop = ManualLoop()
    let gate = ReadGate()
    let pair: WriterPair
    private(set) var roomCount = 0

    init() throws {
        pair = try WriterPair(FairScheduler(services: loop.services, loop: nil))
        let watch = try loop.watch(pair.writer.fd, .readable, Handler())
        gate.begin(watch, writer: pair.writer) { [unowned self] in roomCount += 1 }
    }

    var interest: Readiness? { loop.interest(in: pair.writer.fd) }
}

@Suite(.serialized) struct ReadGateTests {
    init() { LoopThread.start }

    @Test @LoopActor func aSocketIsWatchedForReading() throws {
        let rig = try Rig()
        #expect(rig.interest == .readable)
    }

    @Test @LoopActor func aPausedSocketIsNotRead() throws {
        let rig = try Rig()
        rig.gate.pauseReading()
        #expect(rig.interest == [])
        rig.gate.resumeReading()
        #expect(rig.interest == .readable)
    }

    @Test @LoopActor func aFullSocketIsAlsoWatchedForWriting() throws {
        let rig = try Rig()
        rig.pair.writer.sendControl(.frame("c", count: 100_000))
        rig.gate.changed()
        #expect(rig.interest == [.readable, .writable])
        #expect(rig.roomCount == 1)
    }

    @Test @LoopActor func aClientThatDoesNotReadItsAnswersIsNotRead() throws {
        let rig = try Rig()
        rig.pair.writer.sendControl(.frame("c", count: ControlQueue.limitBytes + 100_000))
        rig.gate.changed()
        #expect(rig.interest == .writable)
        #expect(rig.roomCount == 0)
        _ = rig.pair.receivedUntilQuiet()
        rig.gate.changed()
        #expect(rig.interest == .readable)
        #expect(rig.roomCount == 1)
    }

    @Test @LoopActor func aSocketIsNotWatchedAfterTheEnd() throws {
        let rig = try Rig()
        rig.gate.end()
        #expect(rig.interest == nil)
        rig.gate.resumeReading()
        #expect(rig.interest == nil)
    }
}
