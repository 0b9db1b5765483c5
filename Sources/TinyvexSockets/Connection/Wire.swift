import EventLoop
import Posix

/// A connected byte stream that never blocks. Used by its connection's thread only.
protocol Wire: AnyObject {
    /// The descriptor for poll(2).
    var fd: Int32 { get }
    /// Bytes can be available even if the descriptor is not readable, because a TLS record is decrypted as a whole.
    var readsAhead: Bool { get }
    func read(into buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome
    /// Bytes that were not accepted must be passed again before any others.
    func write(_ bytes: UnsafeRawBufferPointer) -> WriteOutcome
}

/// A socket to an endpoint on this machine, made without libcurl.
final class SocketWire: Wire {
    private let stream: ByteStream

    init(_ descriptor: consuming Descriptor) { stream = ByteStream(descriptor) }

    /// The reason why the connection failed, or nil when the socket is connected.
    var connectError: SystemError? { Sockets.connectError(of: stream.fd) }

    var fd: Int32 { stream.fd }
    var readsAhead: Bool { false }
    func read(into buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome { stream.read(into: buffer) }
    func write(_ bytes: UnsafeRawBufferPointer) -> WriteOutcome { stream.write(bytes) }
}
