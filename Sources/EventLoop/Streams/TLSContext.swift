import CTLS

/// A server's identity or a client's trusted certificates, for any number of TLS connections.
///
/// TLS 1.2 and 1.3, ciphers with forward secrecy and authenticated encryption, no renegotiation and no early data.
/// OpenSSL is loaded when the first context is created.
package final class TLSContext: @unchecked Sendable {
    // Safe to share: it does not change after init, and OpenSSL counts references atomically.
    let raw: OpaquePointer

    /// A server's context. Both PEM files are read at once; later changes to them do not affect this context.
    ///
    /// - Parameter certificate: The server's own certificate first, followed by its issuers' certificates.
    /// - Parameter key: A key without a passphrase.
    package init(certificate: String, key: String) throws(TLSFault) {
        try Self.load()
        var fault = ctls_fault()
        guard let raw = ctls_server_context(certificate, key, &fault) else {
            throw TLSFault(fault, certificate: certificate, key: key)
        }
        self.raw = raw
    }

    /// A client's context. The client verifies the server's certificate.
    ///
    /// - Parameter authorities: A PEM file with trusted authorities; nil for the system's.
    package init(trusting authorities: String?) throws(TLSFault) {
        try Self.load()
        var fault = ctls_fault()
        guard let raw = ctls_client_context(authorities, &fault) else {
            throw TLSFault(fault, authorities: authorities ?? "the system's certificates")
        }
        self.raw = raw
    }

    deinit { ctls_context_free(raw) }

    /// The validity period of a server's certificate, in milliseconds since 1970.
    package var validity: ClosedRange<Int64>? {
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
