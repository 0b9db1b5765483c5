import CShims
import CTLS
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
/// alone, since it may be shared with the process that gave it to us. On a socket they may go through TLS.
public struct ByteStream: ~Copyable, Sendable {
    private let tls: TLSSession?
    public let descriptor: Descriptor
    private let isSocket: Bool

    /// A pipe must already be non-blocking.
    public init(_ descriptor: consuming Descriptor) {
        isSocket = DescriptorKind(of: descriptor.raw) == .socket
        tls = nil
        self.descriptor = descriptor
    }

    /// The server's end of TLS on a connected socket. Its handshake is made by the first reads.
    public init(_ descriptor: consuming Descriptor, accepting context: TLSContext) throws(SystemError) {
        tls = try .accepting(on: descriptor.raw, context)
        isSocket = true
        self.descriptor = descriptor
    }

    /// The client's end. Its handshake is made by the first writes and reads; `host` is the name or address that the
    /// server's certificate must be for.
    public init(_ descriptor: consuming Descriptor, connectingTo host: String, _ context: TLSContext)
        throws(SystemError)
    {
        tls = try .connecting(on: descriptor.raw, to: host, context)
        isSocket = true
        self.descriptor = descriptor
    }

    public var fd: Int32 { descriptor.raw }

    /// Hands the descriptor on without closing it. Only where there is no TLS, whose state would be lost.
    public consuming func release() -> Int32 { descriptor.release() }

    /// How many bytes lie ready to be read; of TLS, before they are decrypted.
    public var waitingBytes: Int { Int(cshims_waiting_bytes(fd)) }

    /// Of TLS, at most one record is read at once, and `buffer` must have room for it: ``recordBytes``.
    public func read(into buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome {
        if let outcome = tls?.read(into: buffer) { return outcome }
        let count =
            isSocket
            ? recv(fd, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
            : Glibc.read(fd, buffer.baseAddress, buffer.count)
        if count > 0 { return .bytes(count) }
        if count == 0 { return .endOfStream }
        return Self.isPassing(errno) ? .wouldBlock : .failed(SystemError("read"))
    }

    public func write(_ bytes: UnsafeRawBufferPointer) -> WriteOutcome {
        if let outcome = tls?.write(bytes) { return outcome }
        let count =
            isSocket
            ? send(fd, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
            : Glibc.write(fd, bytes.baseAddress, bytes.count)
        if count >= 0 { return .wrote(count) }
        return Self.isPassing(errno) ? .wouldBlock : .failed(SystemError("write"))
    }

    /// Tells a socket's peer that nothing more will come; reading goes on.
    public func finishWriting() {
        if tls?.finishWriting() == nil { shutdown(fd, Int32(SHUT_WR)) }
    }

    private static func isPassing(_ code: Int32) -> Bool { code == EAGAIN || code == EWOULDBLOCK || code == EINTR }

    // MARK: TLS

    /// The room that a read of TLS must be given.
    public static let recordBytes = Int(ctls_record_bytes)

    /// Bytes that were taken by ``write(_:)`` wait for room in the socket. Reads, too, may leave some.
    public var holdsBytes: Bool { (tls?.heldBytes() ?? 0) > 0 }

    /// What to wait for when a write would block: room, or in the handshake of TLS the peer's part of it.
    public var writeAwaits: Readiness { tls != nil && !holdsBytes ? .readable : .writable }

    /// Sends what is held. `.wrote` says that nothing is any more.
    public func flush() -> WriteOutcome { tls?.flush() ?? .wrote(0) }

    /// The peer began to speak without TLS, and was told nothing yet.
    public var peerIsPlain: Bool { tls?.peerIsPlain() ?? false }

    /// Why TLS failed, for a person; nil when it has not.
    public var failure: String? { tls?.failure() ?? nil }

    /// The same socket without TLS.
    public consuming func withoutTLS() -> ByteStream { ByteStream(descriptor) }
}
