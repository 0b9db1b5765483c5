import CTLS

/// Whom a server says it is, or whom a client trusts, for any number of TLS connections.
///
/// TLS 1.2 and 1.3, ciphers with forward secrecy and authenticated encryption, no renegotiation and no early data. OpenSSL
/// is loaded when the first context is made.
public final class TLSContext: @unchecked Sendable {
    // Safe to share: it is not changed after init, and OpenSSL counts its users atomically.
    let raw: OpaquePointer

    /// A server's. Both files are in PEM, and read at once: later changes to them mean nothing to this context.
    ///
    /// - Parameter certificate: the server's own first, then those it was issued by.
    /// - Parameter key: without a passphrase.
    public init(certificate: String, key: String) throws(TLSFault) {
        try Self.load()
        var fault = ctls_fault()
        guard let raw = ctls_server_context(certificate, key, &fault) else {
            throw TLSFault(fault, certificate: certificate, key: key)
        }
        self.raw = raw
    }

    /// A client's, who verifies the server's certificate.
    ///
    /// - Parameter authorities: a file of those to trust, in PEM; nil for the system's.
    public init(trusting authorities: String?) throws(TLSFault) {
        try Self.load()
        var fault = ctls_fault()
        guard let raw = ctls_client_context(authorities, &fault) else {
            throw TLSFault(fault, authorities: authorities ?? "the system's certificates")
        }
        self.raw = raw
    }

    deinit { ctls_context_free(raw) }

    /// Between which times a server's certificate is valid, in milliseconds since 1970.
    public var validity: ClosedRange<Int64>? {
        var from: Int64 = 0
        var through: Int64 = 0
        guard ctls_context_validity(raw, &from, &through), from <= through else { return nil }
        return from * 1000...through * 1000
    }

    private static func load() throws(TLSFault) {
        if let loadFailure { throw .libraryMissing(reason: loadFailure) }
    }

    private static let loadFailure = ctls_load().map { String(cString: $0) }
}
