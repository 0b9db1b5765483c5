import Glibc
import TestSupport
import Testing

@testable import EventLoop
@testable import Posix

@Suite(.serialized) struct WakeUpTests {
    init() { LoopThread.start }

    /// True if the descriptor has data.
    private func isReadable(_ fd: Int32) -> Bool {
        var request = pollfd(fd: fd, events: Int16(POLLIN), revents: 0)
        return poll(&request, 1, 0) == 1
    }

    @Test @LoopActor func severalSignalsCauseOneCall() throws {
        let (loop, wakeUp, calls) = (ManualLoop(), try WakeUp(), Box(0))
        let listener = try wakeUp.listen(on: loop) { calls.value += 1 }
        #expect(loop.interest(in: wakeUp.fd) == .readable)
        for _ in 0..<3 { wakeUp.signal() }
        #expect(isReadable(wakeUp.fd))
        loop.report(.readable, of: wakeUp.fd)
        #expect(calls.value == 1)
        #expect(!isReadable(wakeUp.fd))
        listener.cancel()
    }

    @Test @LoopActor func aSignalDuringTheCallCausesAnother() throws {
        let (loop, wakeUp) = (ManualLoop(), try WakeUp())
        let listener = try wakeUp.listen(on: loop) { wakeUp.signal() }
        wakeUp.signal()
        loop.report(.readable, of: wakeUp.fd)
        #expect(isReadable(wakeUp.fd))
        listener.cancel()
    }

    @Test @LoopActor func aCancelledListenerIsNotCalled() throws {
        let (loop, wakeUp, calls) = (ManualLoop(), try WakeUp(), Box(0))
        let listener = try wakeUp.listen(on: loop) { calls.value += 1 }
        listener.cancel()
        wakeUp.signal()
        loop.report(.readable, of: wakeUp.fd)
        #expect(calls.value == 0)
        #expect(loop.interest(in: wakeUp.fd) == nil)
    }
}
