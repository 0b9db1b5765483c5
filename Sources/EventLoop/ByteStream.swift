import CShims
import Glibc

public enum ReadOutcome: Equatable, Sendable {
    case bytes(Int)
    case wouldBlock
    case endOfStream
    case failed(SystemError)
}

public enum WriteOutcome: Equatable, Sendable {
    /// May be fewer than were offered.
    case wrote(Int)
    case wouldBlock
    /// `EPIPE` and `ECONNRESET` are the ordinary way of a peer that has gone.
    case failed(SystemError)
}

/// Reads and writes that never block, on a pipe that is non-blocking or on any socket: a socket's own flag is left
/// alone, since it may be shared with the process that gave it to us.
public struct ByteStream: ~Copyable, Sendable {
    public let descriptor: Descriptor
    private let isSocket: Bool

    /// A pipe must already be non-blocking.
    public init(_ descriptor: consuming Descriptor) {
        isSocket = DescriptorKind(of: descriptor.raw) == .socket
        self.descriptor = descriptor
    }

    public var fd: Int32 { descriptor.raw }

    /// How many bytes lie ready to be read.
    public var waitingBytes: Int { Int(cshims_waiting_bytes(fd)) }

    public func read(into buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome {
        let count =
            isSocket
            ? recv(fd, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
            : Glibc.read(fd, buffer.baseAddress, buffer.count)
        if count > 0 { return .bytes(count) }
        if count == 0 { return .endOfStream }
        return Self.isPassing(errno) ? .wouldBlock : .failed(SystemError("read"))
    }

    public func write(_ bytes: UnsafeRawBufferPointer) -> WriteOutcome {
        let count =
            isSocket
            ? send(fd, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
            : Glibc.write(fd, bytes.baseAddress, bytes.count)
        if count >= 0 { return .wrote(count) }
        return Self.isPassing(errno) ? .wouldBlock : .failed(SystemError("write"))
    }

    /// Tells a socket's peer that nothing more will come; reading goes on.
    public func finishWriting() { shutdown(fd, Int32(SHUT_WR)) }

    private static func isPassing(_ code: Int32) -> Bool { code == EAGAIN || code == EWOULDBLOCK || code == EINTR }
}
