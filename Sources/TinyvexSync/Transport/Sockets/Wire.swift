import EventLoop

/// A connected stream of bytes that never blocks. It belongs to its connection's thread.
protocol Wire: AnyObject {
    /// For poll(2).
    var fd: Int32 { get }
    /// Bytes may wait although the descriptor is not readable, as a record of TLS is decrypted whole.
    var readsAhead: Bool { get }
    func read(into buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome
    /// What was not taken is to be offered again before anything else.
    func write(_ bytes: UnsafeRawBufferPointer) -> WriteOutcome
}

/// A socket of our own making, within this machine.
final class SocketWire: Wire {
    private let stream: ByteStream

    init(_ descriptor: consuming Descriptor) { stream = ByteStream(descriptor) }

    var fd: Int32 { stream.fd }
    var readsAhead: Bool { false }
    func read(into buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome { stream.read(into: buffer) }
    func write(_ bytes: UnsafeRawBufferPointer) -> WriteOutcome { stream.write(bytes) }
}
