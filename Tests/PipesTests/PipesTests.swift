import Glibc
import TestSupport
import Testing

@testable import EventLoop
@testable import Pipes
@testable import Posix

/// An inlet and an outlet, connected like an agent and its editor, between two pipes. The test has the outer ends of
/// the pipes.
@LoopActor private final class Rig {
    enum Event { case finished, sinkFailed }

    let input: Int32
    let output: Int32
    private(set) var tapped: [UInt8] = []
    private(set) var events: [Event] = []
    private(set) var inlet: PipeReader?
    private var outlet: PipeWriter?
    private var waiting: [(condition: @LoopActor () -> Bool, done: CheckedContinuation<Void, Never>)] = []

    init() throws {
        let source = try Pipe().ends()
        let sink = try Pipe().ends()
        input = source.write
        output = sink.read
        for fd in [source.read, source.write, sink.read, sink.write] { setNonBlocking(fd) }
        let outlet = PipeWriter(ByteStream(Descriptor(owning: sink.write))) { [weak self] in self?.reported($0) }
        let inlet = PipeReader(ByteStream(Descriptor(owning: source.read))) { [weak self] in
            self?.arrived($0)
        } ended: { [weak self] in
            self?.sourceEnded()
        }
        (self.inlet, self.outlet) = (inlet, outlet)
        try inlet.start()
        try outlet.start()
    }

    private func arrived(_ chunk: UnsafeRawBufferPointer) {
        outlet?.write(chunk)
        inlet?.hold(.sinkIsFull, outlet?.isEmpty == false)
        tapped += chunk
        wake()
    }

    private func sourceEnded() {
        guard outlet?.isOpen == true else { return note(.finished) }
        outlet?.closeWhenEmpty()
    }

    private func reported(_ event: PipeWriter.Event) {
        switch event {
        case .hasRoom: inlet?.hold(.sinkIsFull, false)
        case .failed:
            inlet?.hold(.sinkIsFull, false)
            note(.sinkFailed)
        case .closed: note(.finished)
        }
    }

    private func note(_ event: Event) {
        events.append(event)
        wake()
    }

    func write(_ bytes: [UInt8]) -> Int { bytes.withUnsafeBytes { Glibc.write(input, $0.baseAddress, $0.count) } }

    func readAvailable() -> [UInt8] {
        var result: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(output, &buffer, buffer.count)
            guard count > 0 else { return result }
            result += buffer.prefix(count)
        }
    }

    func until(_ condition: @escaping @LoopActor () -> Bool) async {
        guard !condition() else { return }
        await withCheckedContinuation { waiting.append((condition, $0)) }
    }

    private func wake() {
        waiting.removeAll { waiter in
            guard waiter.condition() else { return false }
            waiter.done.resume()
            return true
        }
    }

    func closeEnds() {
        close(input)
        close(output)
        inlet?.close()
        outlet?.drop()
        (inlet, outlet) = (nil, nil)
    }
}

@Suite(.timeLimit(.minutes(10))) struct PipesTests {
    init() { LoopThread.start }

    private let pattern = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }

    @Test @LoopActor func bytesPassUnchanged() async throws {
        let rig = try Rig()
        #expect(rig.write([1, 2, 3, 0, 255]) == 5)
        await rig.until { rig.tapped.count == 5 }
        #expect(rig.readAvailable() == [1, 2, 3, 0, 255])
        rig.closeEnds()
    }

    @Test @LoopActor func aFullSinkStopsReadingFromTheSource() async throws {
        let rig = try Rig()
        var sent: [UInt8] = []
        // More bytes than both pipes and one chunk between them can hold.
        for _ in 0..<20 {
            let count = rig.write(pattern)
            if count > 0 { sent += pattern.prefix(count) }
            await withCheckedContinuation { done in EventLoop.main.schedule(after: .milliseconds(1)) { done.resume() } }
        }
        #expect(sent.count <= 2 * 65_536 + EventLoop.readChunkBytes)
        var received: [UInt8] = []
        while received.count < sent.count {
            received += rig.readAvailable()
            await withCheckedContinuation { done in EventLoop.main.schedule(after: .zero) { done.resume() } }
        }
        #expect(received == sent)
        #expect(rig.tapped == sent)
        rig.closeEnds()
    }

    @Test @LoopActor func theEndOfTheSourceClosesTheSinkAfterTheLastByte() async throws {
        let rig = try Rig()
        _ = rig.write([7])
        close(rig.input)
        await rig.until { rig.events == [.finished] }
        var buffer: [UInt8] = [0, 0]
        #expect(read(rig.output, &buffer, 2) == 1)
        #expect(read(rig.output, &buffer, 2) == 0)
        close(rig.output)
    }

    @Test @LoopActor func aClosedReaderIsDetectedWithoutAWrite() async throws {
        let rig = try Rig()
        close(rig.output)
        await rig.until { rig.events == [.sinkFailed] }
        _ = rig.write([1])
        await rig.until { rig.tapped == [1] }
        close(rig.input)
        await rig.until { rig.events == [.sinkFailed, .finished] }
    }

    @Test @LoopActor func finishingReadsTheRestOfAPipeThatIsStillOpen() async throws {
        let rig = try Rig()
        _ = rig.write([1, 2, 3])
        rig.inlet?.finishWhenEmpty()
        await rig.until { rig.events == [.finished] }
        #expect(rig.readAvailable() == [1, 2, 3])
        rig.closeEnds()
    }

    @Test @LoopActor func aHeldSourceIsNeitherReadNorWatched() throws {
        let loop = ManualLoop()
        let source = try Pipe().ends()
        setNonBlocking(source.read)
        var received: [UInt8] = []
        var hasEnded = false
        let reader = PipeReader(ByteStream(Descriptor(owning: source.read)), loop: loop.services) {
            received += $0
        } ended: {
            hasEnded = true
        }
        try reader.start()
        #expect(loop.interest(in: source.read) == .readable)
        reader.hold(.logIsBehind, true)
        _ = write(source.write, "x", 1)
        close(source.write)
        // Without interest, the loop does not report the source again and again.
        #expect(loop.interest(in: source.read) == [])
        // This report was on its way before.
        loop.report(.readable, of: source.read)
        #expect(received.isEmpty && !hasEnded)
        reader.hold(.logIsBehind, false)
        #expect(loop.interest(in: source.read) == .readable)
        loop.report(.readable, of: source.read)
        #expect(received == [UInt8(ascii: "x")])
        loop.report([.readable, .hangup], of: source.read)
        #expect(hasEnded)
    }

    @Test @LoopActor func finishingWaitsForAFullSink() async throws {
        let rig = try Rig()
        var sent: [UInt8] = []
        for _ in 0..<5 {
            let count = rig.write(pattern)
            if count > 0 { sent += pattern.prefix(count) }
            await withCheckedContinuation { done in EventLoop.main.schedule(after: .milliseconds(1)) { done.resume() } }
        }
        rig.inlet?.finishWhenEmpty()
        #expect(rig.events == [])
        var received: [UInt8] = []
        while rig.events.isEmpty {
            received += rig.readAvailable()
            await withCheckedContinuation { done in EventLoop.main.schedule(after: .zero) { done.resume() } }
        }
        received += rig.readAvailable()
        #expect(received == sent)
        rig.closeEnds()
    }
}
