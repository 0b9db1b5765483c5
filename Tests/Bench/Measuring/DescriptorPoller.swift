import CShims
import EventLoop
import Glibc
import Posix

/// An object with a descriptor that is read when bytes are available.
package protocol PollSource: AnyObject {
    var fd: Int32 { get }
    /// Reads once. `buffer` is shared, and its contents are not kept.
    func readReady(into buffer: UnsafeMutableRawBufferPointer) throws
}

/// Performs all reads of the measuring side on one thread, to affect the measured side as little as possible.
package final class DescriptorPoller {
    private let epoll: Descriptor
    private var sources: [any PollSource] = []
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bufferBytes, alignment: 64)

    /// More than a socket or a pipe can hold.
    private static let bufferBytes = 1 << 20

    package init() throws {
        let fd = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard fd >= 0 else { throw SystemError("epoll_create1") }
        epoll = Descriptor(owning: fd)
    }

    deinit { buffer.deallocate() }

    /// Adds a source, which is kept until `removeAll`.
    package func add(_ source: any PollSource) throws {
        var event = epoll_event()
        event.events = EPOLLIN.rawValue
        event.data.u64 = UInt64(sources.count)
        sources.append(source)
        guard epoll_ctl(epoll.raw, EPOLL_CTL_ADD, source.fd, &event) == 0 else { throw SystemError("epoll_ctl") }
    }

    package func removeAll() {
        for source in sources { epoll_ctl(epoll.raw, EPOLL_CTL_DEL, source.fd, nil) }
        sources = []
    }

    /// Reads until `isDone`. Throws when that takes longer than `patience`.
    ///
    /// - Parameter tick: Called about every 5 ms.
    package func run(patience: Duration, tick: ((Instant) throws -> Void)? = nil, until isDone: () -> Bool) throws {
        let deadline = Instant.now + patience
        var nextTick = Instant.now
        try withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: 256) { events in
            while !isDone() {
                let now = Instant.now
                if let tick, now >= nextTick {
                    try tick(now)
                    nextTick = now + .milliseconds(5)
                }
                let end = tick == nil ? deadline : min(deadline, nextTick)
                let milliseconds = ((end - now).nanoseconds + 999_999) / 1_000_000
                guard now < deadline else { throw BenchFailure("a run took longer than \(patience)") }
                let count = epoll_wait(
                    epoll.raw, events.baseAddress, Int32(events.count), Int32(clamping: milliseconds))
                if count < 0 { try Interruption.check() }
                for event in events.prefix(max(0, Int(count))) {
                    try sources[Int(event.data.u64)].readReady(into: buffer)
                }
            }
        }
    }
}
