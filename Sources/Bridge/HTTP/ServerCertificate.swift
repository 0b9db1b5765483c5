import EventLoop

/// Where the certificate of TCP listeners lies, and its key: files in PEM.
public struct CertificateFiles: Sendable, Equatable {
    /// The server's own certificate first, then those it was issued by.
    public var certificate: String
    /// Without a passphrase.
    public var key: String

    public init(certificate: String, key: String) {
        self.certificate = certificate
        self.key = key
    }
}

/// The certificate that TCP listeners show, as its files were when they were last read.
@LoopActor public final class ServerCertificate {
    private let files: CertificateFiles
    /// For the next connection.
    private(set) var context: TLSContext

    init(_ files: CertificateFiles) throws(TLSFault) {
        self.files = files
        context = try TLSContext(certificate: files.certificate, key: files.key)
    }

    /// Reads the files anew, for connections to come: those that there are go on with what they began with. Where that
    /// fails, nothing changes.
    public func reload() throws(TLSFault) {
        context = try TLSContext(certificate: files.certificate, key: files.key)
    }

    /// What clients will refuse it for, as far as it can be told from here.
    public var warning: String? {
        Self.warning(of: files.certificate, validity: context.validity, now: wallClockMilliseconds())
    }

    nonisolated static func warning(of file: String, validity: ClosedRange<Int64>?, now: Int64) -> String? {
        guard let validity else { return nil }
        let consequence = "clients will refuse it"
        if now > validity.upperBound { return "the certificate in \(file) has expired; \(consequence)" }
        if now < validity.lowerBound { return "the certificate in \(file) is not valid yet; \(consequence)" }
        return nil
    }
}
