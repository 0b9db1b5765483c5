import CTLS
import Posix

/// The reason why TLS cannot be used, as text for the person who configured the files.
package enum TLSFault: Error, Equatable, CustomStringConvertible {
    case libraryMissing(reason: String)
    case unreadable(file: String, SystemError)
    /// The file has the wrong contents. `reason` is OpenSSL's text and can be empty.
    case malformed(file: String, expected: String, reason: String)
    case keyEncrypted(file: String)
    case keyOfAnother(certificate: String, key: String)
    case failed(reason: String)

    package var description: String {
        switch self {
        case .libraryMissing(let reason): "TLS needs OpenSSL 3 (Debian's package libssl3): \(reason)"
        case .unreadable(let file, let error): "\(file) cannot be read: \(error.reason)"
        case .malformed(let file, let expected, let reason):
            "\(file) cannot be used as \(expected)\(reason.isEmpty ? "" : " (OpenSSL: \(reason))")"
        case .keyEncrypted(let file):
            "the key in \(file) is encrypted, and the bridge cannot ask for its passphrase; "
                + "decrypt it with `openssl pkey -in \(file) -out NEW`, and let only its owner read it"
        case .keyOfAnother(let certificate, let key):
            "the key in \(key) does not belong to the certificate in \(certificate)"
        case .failed(let reason): "TLS cannot be set up: \(reason)"
        }
    }
}

extension TLSFault {
    init(_ fault: ctls_fault, certificate: String, key: String) {
        switch fault.stage {
        case ctls_stage_certificate: self.init(fault, file: certificate, expected: "a certificate in PEM")
        case ctls_stage_key where fault.key_is_encrypted: self = .keyEncrypted(file: key)
        case ctls_stage_key: self.init(fault, file: key, expected: "a private key in PEM")
        case ctls_stage_match: self = .keyOfAnother(certificate: certificate, key: key)
        default: self = .failed(reason: Self.reason(fault))
        }
    }

    init(_ fault: ctls_fault, authorities: String) {
        self.init(fault, file: authorities, expected: "a list of certificates in PEM")
    }

    private init(_ fault: ctls_fault, file: String, expected: String) {
        self =
            fault.code == 0
            ? .malformed(file: file, expected: expected, reason: Self.reason(fault))
            : .unreadable(file: file, SystemError("open", code: fault.code))
    }

    private static func reason(_ fault: ctls_fault) -> String { fault.reason.map { String(cString: $0) } ?? "" }
}
