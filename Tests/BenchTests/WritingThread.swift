import EventLoop
import Glibc
import Posix

@testable import BenchMeasuring

/// Writes the same bytes repeatedly on a separate thread, and blocks when the reader does not read.
final class WritingThread {
    private final class Work: Sendable {
        let bytes: [UInt8]
        let times: Int
        let fd: Int32

        init(bytes: [UInt8], times: Int, fd: Int32) {
            self.bytes = bytes
            self.times = times
            self.fd = fd
        }

        /// If a write fails, the test does not receive the data that it waits for.
        func run() { for _ in 0..<times { try? BlockingWrite.all(bytes, to: fd) } }
    }

    private var thread = pthread_t()

    init(_ bytes: [UInt8], times: Int, to fd: Int32) {
        pthread_create(
            &thread, nil,
            { argument in
                if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run() }
                return nil
            }, Unmanaged.passRetained(Work(bytes: bytes, times: times, fd: fd)).toOpaque())
    }

    func wait() { pthread_join(thread, nil) }
}
