import AgentProcess
import EventLoop
import Posix
import TestSupport

/// The files of a daemon's certificate.
struct CertificateOnDisk {
    let certificate: String
    let key: String

    init(
        _ home: BridgeHome, certificate: String = TestCertificate.certificate, key: String = TestCertificate.key
    ) throws {
        self.certificate = home.path + "/cert.pem"
        self.key = home.path + "/key.pem"
        try write(certificate: certificate, key: key)
    }

    func write(certificate: String, key: String) throws {
        try FileBytes.write(certificate.utf8, to: self.certificate)
        try FileBytes.write(key.utf8, to: self.key)
    }

    /// The options for `serve`.
    var options: [SystemString] {
        ["--listen", "127.0.0.1:0", "--tls-cert", SystemString(certificate), "--tls-key", SystemString(key)]
    }

    func trust() throws -> TLSContext { try TLSContext(trusting: certificate) }
}
