import EventLoop
import Posix

/// The paths of the TCP listeners' certificate and of its key: files in PEM.
package struct CertificateFiles: Sendable, Equatable {
    /// A file with the server's own certificate first, followed by the certificates of its issuers.
    package var certificate: String
    /// A file with the key, which must not have a passphrase.
    package var key: String

    package init(certificate: String, key: String) {
        self.certificate = certificate
        self.key = key
    }
}

/// The certificate of the TCP listeners, with the contents that its files had when they were last read.
@LoopActor package final class ServerCertificate {
    private let files: CertificateFiles
    /// The context for the next connection.
    private(set) var context: TLSContext

    private let time: any TimeSource

    init(_ files: CertificateFiles, time: any TimeSource = EventLoop.main) throws(TLSFault) {
        self.time = time
        self.files = files
        context = try TLSContext(certificate: files.certificate, key: files.key)
    }

    /// Reads the files again, for later connections. Existing connections keep their certificate. If reading fails,
    /// nothing changes.
    package func reload() throws(TLSFault) {
        context = try TLSContext(certificate: files.certificate, key: files.key)
    }

    /// The reason why clients will refuse the certificate, as far as the bridge can detect it.
    package var warning: String? {
        Self.warning(of: files.certificate, validity: context.validity, now: time.dateMilliseconds)
    }

    nonisolated static func warning(of file: String, validity: ClosedRange<Int64>?, now: Int64) -> String? {
        guard let validity else { return nil }
        let consequence = "clients will refuse it"
        if now > validity.upperBound { return "the certificate in \(file) has expired; \(consequence)" }
        if now < validity.lowerBound { return "the certificate in \(file) is not valid yet; \(consequence)" }
        return nil
    }
}
