import CCurl
import EventLoop
import Glibc
import Posix
import TinyvexTransport

/// The only owner of libcurl's connection, or of libcurl's attempt at one.
struct CurlConnection: ~Copyable {
    let raw: OpaquePointer

    /// Starts to connect.
    ///
    /// - Parameter authorities: a file of certificates to trust instead of the system's.
    init(to url: String, authorities: String?, timeout: Duration) throws(TransportFailure) {
        if let reason = ccurl_load() {
            throw .unreachable(reason: "libcurl is needed to reach it (\(String(cString: reason)))")
        }
        let milliseconds = Int(clamping: timeout.nanoseconds / 1_000_000 + 1)
        let attempt = url.withCString { url in
            Self.withOptionalCString(authorities) { authorities in
                var request = ccurl_request(url: url, authorities: authorities, timeout_milliseconds: milliseconds)
                return ccurl_open(&request)
            }
        }
        guard let attempt else { throw .unreachable(reason: "libcurl cannot begin") }
        raw = attempt
    }

    deinit { ccurl_close(raw) }

    /// The reason why the attempt failed.
    var failure: TransportFailure {
        let words = String(cString: ccurl_failure_text(raw))
        return switch ccurl_failure(raw) {
        case ccurl_failure_certificate, ccurl_failure_authorities, ccurl_failure_tls: .insecure(reason: words)
        case ccurl_failure_timeout: .timedOut
        default: .unreachable(reason: words)
        }
    }

    /// Continues to connect. Returns nil when connected, otherwise the next wait.
    func connect(until deadline: Instant) throws(TransportFailure) -> ConnectionWait? {
        switch ccurl_connect(raw) {
        case ccurl_connected: return nil
        case ccurl_failed: throw failure
        default:
            let milliseconds = ccurl_connect_timeout(raw)
            let next = milliseconds < 0 ? deadline : min(deadline, .now + .milliseconds(milliseconds))
            return ConnectionWait(fd: ccurl_connect_descriptor(raw), events: POLLIN, deadline: next)
        }
    }

    private static func withOptionalCString<Result>(
        _ text: String?, _ body: (UnsafePointer<CChar>?) -> Result
    ) -> Result {
        guard let text else { return body(nil) }
        return text.withCString(body)
    }
}

/// A connection made by libcurl, with or without TLS.
final class CurlWire: Wire {
    private let connection: CurlConnection

    init(_ connection: consuming CurlConnection) { self.connection = connection }

    /// Continues to connect. Returns nil when connected, otherwise the next wait.
    func connect(until deadline: Instant) throws(TransportFailure) -> ConnectionWait? {
        try connection.connect(until: deadline)
    }

    var fd: Int32 { ccurl_descriptor(connection.raw) }
    var readsAhead: Bool { true }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome {
        let count = ccurl_receive(connection.raw, buffer.baseAddress, buffer.count)
        if count > 0 { return .bytes(count) }
        if count == 0 { return .endOfStream }
        let error = SystemError("read")
        return error.code == EAGAIN ? .wouldBlock : .failed(error)
    }

    func write(_ bytes: UnsafeRawBufferPointer) -> WriteOutcome {
        let count = ccurl_send(connection.raw, bytes.baseAddress, bytes.count)
        if count >= 0 { return .wrote(count) }
        let error = SystemError("write")
        return error.code == EAGAIN ? .wouldBlock : .failed(error)
    }
}
