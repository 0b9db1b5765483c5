import EventLoop
import Glibc
import Posix

/// The editor's input and output stream, read and written without blocking.
package struct StandardStreams: ~Copyable, Sendable {
    let input: ByteStream
    let output: ByteStream

    init(_ streams: PassedStreams) throws {
        let input = try Self.stream(streams.descriptors[0])
        let output = try Self.stream(streams.descriptors[1])
        self.input = input
        self.output = output
    }

    private static func stream(_ fd: Int32) throws -> ByteStream {
        let copy = fcntl(fd, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw SystemError("dup") }
        if DescriptorKind(of: copy) == .pipe { setNonBlocking(copy) }
        return ByteStream(Descriptor(owning: copy))
    }
}
