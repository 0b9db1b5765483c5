import CTLS
import Glibc
import Posix

/// TLS on one socket, which the owner still owns.
///
/// Memory: OpenSSL's state for a connection, plus at most one encrypted record (16 KiB) that the socket did not accept.
struct TLSSession: ~Copyable, @unchecked Sendable {
    // Safe to send, because only this value refers to the session, and the stream's owner reads and writes it on one
    // thread.
    private let raw: OpaquePointer

    private init(_ raw: OpaquePointer?) throws(SystemError) {
        guard let raw else { throw SystemError("TLS", code: ENOMEM) }
        self.raw = raw
    }

    static func accepting(on fd: Int32, _ context: TLSContext) throws(SystemError) -> TLSSession {
        try TLSSession(ctls_accepting_session(context.raw, fd))
    }

    static func connecting(on fd: Int32, to host: String, _ context: TLSContext) throws(SystemError) -> TLSSession {
        try TLSSession(ctls_connecting_session(context.raw, fd, host))
    }

    deinit { ctls_session_free(raw) }

    // Functions, because a property cannot be accessed through an optional of a noncopyable type.
    func heldBytes() -> Int { ctls_held(raw) }
    func peerIsPlain() -> Bool { ctls_peer_is_plain(raw) }
    func failure() -> String? { ctls_failure(raw).map { String(cString: $0) } }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome {
        let count = ctls_read(raw, buffer.baseAddress, buffer.count)
        if count > 0 { return .bytes(count) }
        if count == 0 { return .endOfStream }
        return errno == EAGAIN ? .wouldBlock : .failed(SystemError("TLS"))
    }

    func write(_ bytes: UnsafeRawBufferPointer) -> WriteOutcome {
        let count = ctls_write(raw, bytes.baseAddress, bytes.count)
        if count >= 0 { return .wrote(count) }
        return errno == EAGAIN ? .wouldBlock : .failed(SystemError("TLS"))
    }

    func flush() -> WriteOutcome {
        if ctls_flush(raw) == 0 { return .wrote(0) }
        return errno == EAGAIN ? .wouldBlock : .failed(SystemError("TLS"))
    }

    func finishWriting() { ctls_finish(raw) }
}
