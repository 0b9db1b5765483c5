import Glibc
import Posix
import TestSupport
import Testing

@testable import EventLoop

/// Passes the readiness of one descriptor to a closure.
@LoopActor final class ReadinessProbe: PollHandler {
    var action: @LoopActor (Watch, Readiness) -> Void = { _, _ in }
    func pollReady(_ watch: Watch, _ readiness: Readiness) { action(watch, readiness) }
}

@Suite(.timeLimit(.minutes(10))) struct EventLoopTests {
    init() { LoopThread.start }

    @Test @LoopActor func workOnTheActorRunsOnTheLoopsThread() {
        #expect(EventLoop.main.isIsolatingCurrentContext() == true)
    }

    @Test @LoopActor func cancelledTimersAreNotKept() {
        var queue = TimerQueue()
        let far = Instant.now + .seconds(600)
        var kept: [Instant] = []
        for number in 0..<20_000 {
            let deadline = far + .seconds((number * 7_919) % 10_000)
            let timer = queue.add(at: deadline) {}
            if number % 100 == 0 { kept.append(deadline) } else { timer.cancel() }
        }
        #expect(queue.count < 2_048)
        var fired: [Instant] = []
        while let timer = queue.popDue(at: far + .seconds(20_000)) { fired.append(timer.deadline) }
        #expect(fired == kept.sorted())
    }

    @Test @LoopActor func timersFireInTheOrderOfTheirDeadlines() {
        var queue = TimerQueue()
        let start = Instant(nanoseconds: 0)
        var fired: [Int] = []
        for delay in [3, 1, 2] { _ = queue.add(at: start + .milliseconds(delay)) { fired.append(delay) } }
        #expect(queue.popDue(at: start) == nil)
        while let timer = queue.popDue(at: start + .milliseconds(2)) { timer.fire() }
        #expect(fired == [1, 2])
        queue.popDue(at: start + .milliseconds(3))?.fire()
        #expect(fired == [1, 2, 3])
    }

    @Test @LoopActor func aCancelledTimerDoesNotFire() async {
        let fired = Box(false)
        let timer = EventLoop.main.schedule(after: .zero) { fired.value = true }
        timer.cancel()
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            EventLoop.main.schedule(after: .milliseconds(2)) { done.resume() }
        }
        #expect(!fired.value)
    }

    @Test @LoopActor func repliesAndRoomInSocketsComeAfterWhatWasWritten() async throws {
        let (readable, writable) = (try Pipe().ends(), try Pipe().ends())
        let wakeUp = try WakeUp()
        let order = Box<[String]>([])
        let (reads, writes) = (ReadinessProbe(), ReadinessProbe())
        let names = await withCheckedContinuation { (done: CheckedContinuation<[String], Never>) in
            let add: @LoopActor (String) -> Void = { name in
                order.value.append(name)
                if order.value.count == 3 { done.resume(returning: order.value) }
            }
            reads.action = { watch, _ in
                watch.cancel()
                add("read")
            }
            writes.action = { watch, _ in
                watch.cancel()
                add("write")
            }
            // The loop takes these three in one turn, in the order in which they became ready.
            let listener = try? wakeUp.listen(on: EventLoop.main) { add("reply") }
            Self.listeners.append(listener)
            wakeUp.signal()
            _ = try? EventLoop.main.watch(writable.write, .writable, writes)
            _ = try? EventLoop.main.watch(readable.read, .readable, reads)
            write(readable.write, "x", 1)
        }
        #expect(names == ["read", "reply", "write"])
        for listener in Self.listeners { listener?.cancel() }
        Self.listeners = []
        for fd in [readable.read, readable.write, writable.read, writable.write] { close(fd) }
    }

    @LoopActor private static var listeners: [WakeUpListener?] = []

    @Test @LoopActor func aJobThatAJobAddsRunsInALaterTurn() async {
        let turns = await withCheckedContinuation { (done: CheckedContinuation<[Int], Never>) in
            addJob(after: []) { done.resume(returning: $0) }
        }
        #expect(Set(turns).count == 5, "the turns of the jobs: \(turns)")
    }

    /// Starts a job that adds the next one, until five have noted their turns.
    @LoopActor private func addJob(after turns: [Int], then finish: @escaping @LoopActor ([Int]) -> Void) {
        guard turns.count < 5 else { return finish(turns) }
        Task { @LoopActor in addJob(after: turns + [EventLoop.main.turnCount], then: finish) }
    }

    @Test @LoopActor func aReadablePipeIsReported() async throws {
        let pipe = try Pipe().ends()
        let probe = ReadinessProbe()
        let watch = try EventLoop.main.watch(pipe.read, .readable, probe)
        let readiness = await withCheckedContinuation { (done: CheckedContinuation<Readiness, Never>) in
            probe.action = { watch, readiness in
                watch.cancel()
                done.resume(returning: readiness)
            }
            write(pipe.write, "x", 1)
        }
        #expect(readiness.contains(.readable))
        watch.cancel()
        close(pipe.read)
        close(pipe.write)
    }

    @Test @LoopActor func aHangupIsNotReportedToAWatchWithoutInterest() async throws {
        let (closed, other) = (try Pipe().ends(), try Pipe().ends())
        let probe = ReadinessProbe()
        var reports = 0
        probe.action = { _, _ in reports += 1 }
        let watch = try EventLoop.main.watch(closed.read, .readable, probe)
        watch.wait(for: [])
        close(closed.write)
        // A level-triggered hangup would come again in each turn. The other pipe is reported in three turns.
        let second = ReadinessProbe()
        let otherWatch = try EventLoop.main.watch(other.read, .readable, second)
        write(other.write, "x", 1)
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            var turns = 0
            second.action = { watch, _ in
                turns += 1
                guard turns == 3 else { return }
                watch.cancel()
                done.resume()
            }
        }
        #expect(reports == 0)
        watch.cancel()
        otherWatch.cancel()
        for fd in [closed.read, other.read, other.write] { close(fd) }
    }

    @Test @LoopActor func anEventForAClosedDescriptorIsNotDeliveredToItsSuccessor() async throws {
        // Two pipes are ready in one turn. The first handler closes the other pipe and opens a new one with its number.
        let (first, second) = (try Pipe().ends(), try Pipe().ends())
        let successor = ReadinessProbe()
        var successorWasCalled = false
        successor.action = { _, _ in successorWasCalled = true }
        let probes = [ReadinessProbe(), ReadinessProbe()]
        let watches = [
            try EventLoop.main.watch(first.read, .readable, probes[0]),
            try EventLoop.main.watch(second.read, .readable, probes[1]),
        ]
        let fresh = try Pipe().ends()
        var successorWatch: Watch?
        for (own, other) in [(0, 1), (1, 0)] {
            probes[own].action = { watch, _ in
                for watch in watches { watch.cancel() }
                dup2(fresh.read, watches[other].fd)
                successorWatch = try? EventLoop.main.watch(watches[other].fd, .readable, successor)
            }
        }
        write(first.write, "x", 1)
        write(second.write, "x", 1)
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            EventLoop.main.schedule(after: .milliseconds(5)) { done.resume() }
        }
        #expect(successorWatch != nil)
        #expect(!successorWasCalled)
        successorWatch?.cancel()
        for fd in [first.read, first.write, second.read, second.write, fresh.read, fresh.write] { close(fd) }
    }

    @Test @LoopActor func signalsToAnotherThreadAreReportedAtLeastOnce() async throws {
        let wakeUp = try WakeUp()
        let calls = Box(0)
        let listener = try wakeUp.listen(on: EventLoop.main) { calls.value += 1 }
        for _ in 0..<1000 { await Task.detached { wakeUp.signal() }.value }
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            EventLoop.main.schedule(after: .milliseconds(1)) { done.resume() }
        }
        #expect((1...1000).contains(calls.value))
        listener.cancel()
    }
}

@LoopActor final class Box<Value> {
    var value: Value
    init(_ value: Value) { self.value = value }
}

@Suite struct DescriptorTests {
    @Test func descriptorsArriveWithTheirBytes() throws {
        var ends: [Int32] = [0, 0]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        let pipe = try Pipe().ends()
        try DescriptorPassing.send(Array("hello".utf8), with: [pipe.read, pipe.write], on: ends[0])
        var received: [Int32] = []
        var buffer = [UInt8](repeating: 0, count: 64)
        let outcome = buffer.withUnsafeMutableBytes {
            DescriptorPassing.receive(into: $0, on: ends[1], appendingTo: &received)
        }
        #expect(outcome == .bytes(5))
        #expect(received.count == 2)
        write(received[1], "y", 1)
        var byte: UInt8 = 0
        #expect(read(pipe.read, &byte, 1) == 1)
        #expect(byte == UInt8(ascii: "y"))
        for fd in ends + received + [pipe.read, pipe.write] { close(fd) }
    }

    @Test func anIndependentPipeHasItsOwnBlockingMode() throws {
        let pipe = try Pipe().ends()
        guard let independent = Descriptor.independent(of: pipe.read, writing: false) else {
            Issue.record("the pipe could not be opened again")
            return
        }
        #expect(fcntl(independent.raw, F_GETFL) & O_NONBLOCK != 0)
        #expect(fcntl(pipe.read, F_GETFL) & O_NONBLOCK == 0)
        close(pipe.read)
        close(pipe.write)
    }

    @Test func aFileIsNotAPipeOrSocket() {
        let fd = open("/etc/passwd", O_RDONLY)
        if Descriptor.independent(of: fd, writing: false) != nil { Issue.record("a file was treated as a pipe") }
        close(fd)
    }

    @Test func aSocketPathThatIsTooLongIsAnError() {
        let path = "/tmp/" + String(repeating: "x", count: 200)
        #expect(throws: SystemError.self) { _ = try Sockets.connect(to: .unix(path: path)) }
    }
}
