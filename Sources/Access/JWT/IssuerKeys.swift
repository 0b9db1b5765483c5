import CJWT
import EventLoop
import Posix

/// The keys of the issuers that sign tokens for this bridge, and the audience name that these tokens use for the
/// bridge.
///
/// The kind of the key determines the algorithm. The algorithm that the token names must match the key.
package struct IssuerKeys: Sendable {
    private enum Key: Sendable {
        case secret([UInt8])
        /// An RSA or elliptic-curve key, in PEM.
        case publicKey([UInt8])
    }

    private let files: [String]
    private let keys: [Key]
    private let audience: String

    /// RFC 7518, section 3.2: a secret must have at least as many bits as the hash.
    private static let secretBytes = 32
    private static let fileLimitBytes = 64 << 10

    package enum Failure: Error, CustomStringConvertible {
        case system(SystemError)
        case missing(file: String)
        case isPrivate(file: String)
        case isShort(file: String)
        case noLibrary(String)

        package var description: String {
            switch self {
            case .system(let error): "the key cannot be read: \(error)"
            case .missing(let file): "\(file): there is no such file"
            case .isPrivate(let file):
                "\(file) contains a private key, but a bridge needs the public key: `openssl pkey -in FILE -pubout`"
            case .isShort(let file): "\(file): a secret has at least \(secretBytes) bytes"
            case .noLibrary(let reason):
                "tokens of an issuer need libjwt (`apt-get install libjwt0`, on Debian 13 `libjwt2`): \(reason)"
            }
        }
    }

    /// Reads the files, one key in each, and loads the library.
    package init(files: [String], audience: String) throws(Failure) {
        if let reason = Self.loadFailure { throw .noLibrary(reason) }
        var keys: [Key] = []
        for file in files { keys.append(try Self.key(file)) }
        self.files = files
        self.keys = keys
        self.audience = audience
    }

    /// The reason why the current files cannot be used; nil if they can. A program that replaces this one reads the
    /// files again.
    package var fault: Failure? {
        do throws(Failure) { _ = try IssuerKeys(files: files, audience: audience) } catch { return error }
        return nil
    }

    private static let loadFailure = cjwt_load().map { String(cString: $0) }

    private static func key(_ file: String) throws(Failure) -> Key {
        let read: [UInt8]?
        do throws(SystemError) {
            read = try PrivateFile.read(file, limitBytes: fileLimitBytes)
        } catch {
            throw .system(error)
        }
        guard let bytes = read else { throw .missing(file: file) }
        let text = String(decoding: bytes, as: UTF8.self)
        if text.contains("PRIVATE KEY-----") { throw .isPrivate(file: file) }
        if text.contains("-----BEGIN ") { return .publicKey(bytes) }
        // Text editors end a file with a line feed, which does not belong to the secret.
        let secret = bytes.last == 0x0a ? Array(bytes.dropLast()) : bytes
        guard secret.count >= secretBytes else { throw .isShort(file: file) }
        return .secret(secret)
    }

    /// Returns nil if none of the keys has signed the token, if it is for another audience, or if it is not valid now.
    ///
    /// - Parameter now: milliseconds since 1970.
    func identity(showing text: String, at now: Int64) -> Identity? {
        guard let token = WebToken(text), keys.contains(where: { Self.hasSigned(token, $0) }) else { return nil }
        return WebTokenClaims.identity(of: token, audience: audience, at: now)
    }

    private static func hasSigned(_ token: WebToken, _ key: Key) -> Bool {
        let bytes: [UInt8]
        switch (key, token.algorithm) {
        case (.secret(let secret), .hs256): bytes = secret
        // The library checks the type of the PEM key, which selects one of the two algorithms.
        case (.publicKey(let pem), .rs256), (.publicKey(let pem), .es256): bytes = pem
        default: return false
        }
        return cjwt_is_signed(token.text, token.algorithm.rawValue, bytes, Int32(bytes.count))
    }
}
