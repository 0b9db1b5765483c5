import CShims
import CTLS
import Glibc
import Posix

package enum ReadOutcome: Equatable, Sendable {
    case bytes(Int)
    case wouldBlock
    case endOfStream
    case failed(SystemError)
}

package enum WriteOutcome: Equatable, Sendable {
    /// Can be fewer bytes than were passed.
    case wrote(Int)
    case wouldBlock
    /// `EPIPE` and `ECONNRESET` are normal when the peer has closed.
    case failed(SystemError)
}

/// Non-blocking reads and writes, on a non-blocking pipe or on any socket. A socket's own flag is not changed, because
/// it can be shared with the process that passed the socket. Reads and writes on a socket can use TLS.
package struct ByteStream: ~Copyable, Sendable {
    private let tls: TLSSession?
    package let descriptor: Descriptor
    private let isSocket: Bool
    /// True for a non-blocking socket without TLS: sendfile(2) can be used.
    package let takesReferences: Bool

    /// A pipe must already be non-blocking.
    package init(_ descriptor: consuming Descriptor) {
        isSocket = DescriptorKind(of: descriptor.raw) == .socket
        takesReferences = isSocket && fcntl(descriptor.raw, F_GETFL) & O_NONBLOCK != 0
        tls = nil
        self.descriptor = descriptor
    }

    /// The server end of TLS on a connected socket. The first reads perform the handshake.
    package init(_ descriptor: consuming Descriptor, accepting context: TLSContext) throws(SystemError) {
        tls = try .accepting(on: descriptor.raw, context)
        (isSocket, takesReferences) = (true, false)
        self.descriptor = descriptor
    }

    /// The client end. The first writes and reads perform the handshake. The server's certificate must be valid for the
    /// name or address in `host`.
    package init(_ descriptor: consuming Descriptor, connectingTo host: String, _ context: TLSContext)
        throws(SystemError)
    {
        tls = try .connecting(on: descriptor.raw, to: host, context)
        (isSocket, takesReferences) = (true, false)
        self.descriptor = descriptor
    }

    package var fd: Int32 { descriptor.raw }

    /// Returns the descriptor without closing it. Only without TLS, because TLS state would be lost.
    package consuming func release() -> Int32 { descriptor.release() }

    /// The number of bytes that are ready to be read. With TLS, the number before decryption.
    package var waitingBytes: Int { Int(cshims_waiting_bytes(fd)) }

    /// With TLS, at most one record is read at a time, and `buffer` must have room for it: ``recordBytes``.
    package func read(into buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome {
        if let outcome = tls?.read(into: buffer) { return outcome }
        let count =
            isSocket
            ? recv(fd, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
            : Glibc.read(fd, buffer.baseAddress, buffer.count)
        if count > 0 { return .bytes(count) }
        if count == 0 { return .endOfStream }
        return Self.isPassing(errno) ? .wouldBlock : .failed(SystemError("read"))
    }

    /// The process must ignore SIGPIPE, because sendfile(2) cannot suppress it.
    package func write(_ outgoing: OutgoingBytes) -> WriteOutcome {
        if takesReferences, let count = outgoing.sendByReference(to: fd) { return Self.outcome(count) }
        return write(outgoing.bytes)
    }

    package func write(_ bytes: UnsafeRawBufferPointer) -> WriteOutcome {
        if let outcome = tls?.write(bytes) { return outcome }
        let count =
            isSocket
            ? send(fd, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
            : Glibc.write(fd, bytes.baseAddress, bytes.count)
        return Self.outcome(count)
    }

    private static func outcome(_ count: Int) -> WriteOutcome {
        if count >= 0 { return .wrote(count) }
        return isPassing(errno) ? .wouldBlock : .failed(SystemError("write"))
    }

    /// Ends the sending direction. The peer reads the end of the stream; reading remains possible.
    package func finishWriting() {
        if tls?.finishWriting() == nil { shutdown(fd, Int32(SHUT_WR)) }
    }

    private static func isPassing(_ code: Int32) -> Bool { code == EAGAIN || code == EWOULDBLOCK || code == EINTR }

    // MARK: TLS

    /// The buffer size that a TLS read needs.
    package static let recordBytes = Int(ctls_record_bytes)

    /// True while bytes that ``write(_:)`` accepted wait for room in the socket. A read can also leave such bytes.
    package var holdsBytes: Bool { (tls?.heldBytes() ?? 0) > 0 }

    /// The readiness to wait for when a write would block: writable, or readable during a TLS handshake that waits for
    /// the peer.
    package var writeAwaits: Readiness { tls != nil && !holdsBytes ? .readable : .writable }

    /// Sends the held bytes. `.wrote` means that none are left.
    package func flush() -> WriteOutcome { tls?.flush() ?? .wrote(0) }

    /// True when the peer started without TLS. Nothing was sent to it yet.
    package var peerIsPlain: Bool { tls?.peerIsPlain() ?? false }

    /// The reason why TLS failed, as text for a person. Nil when TLS has not failed.
    package var failure: String? { tls?.failure() ?? nil }

    /// The same socket without TLS.
    package consuming func withoutTLS() -> ByteStream { ByteStream(descriptor) }
}
