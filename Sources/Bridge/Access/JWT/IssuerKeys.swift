import CJWT
import EventLoop

/// The keys of those who issue tokens for this bridge, and what it is called in them.
///
/// A key's own kind says which algorithm its tokens are signed by; what a token says of itself only has to agree.
public struct IssuerKeys: Sendable {
    private enum Key: Sendable {
        case secret([UInt8])
        /// In PEM, RSA's or an elliptic curve's.
        case publicKey([UInt8])
    }

    private let files: [String]
    private let keys: [Key]
    private let audience: String

    /// RFC 7518, section 3.2: a secret has as many bits as the hash.
    private static let secretBytes = 32
    private static let fileLimitBytes = 64 << 10

    public enum Failure: Error, CustomStringConvertible {
        case system(SystemError)
        case missing(file: String)
        case isPrivate(file: String)
        case isShort(file: String)
        case noLibrary(String)

        public var description: String {
            switch self {
            case .system(let error): "the key cannot be read: \(error)"
            case .missing(let file): "\(file): there is no such file"
            case .isPrivate(let file):
                "\(file) holds a private key: a bridge needs the public one, `openssl pkey -in FILE -pubout`"
            case .isShort(let file): "\(file): a secret has at least \(secretBytes) bytes"
            case .noLibrary(let reason): "tokens of an issuer need libjwt (`apt-get install libjwt0`): \(reason)"
            }
        }
    }

    /// Reads the files, one key in each, and loads the library.
    public init(files: [String], audience: String) throws(Failure) {
        if let reason = Self.loadFailure { throw .noLibrary(reason) }
        var keys: [Key] = []
        for file in files { keys.append(try Self.key(file)) }
        self.files = files
        self.keys = keys
        self.audience = audience
    }

    /// Why the files, as they are by now, serve no more; nil where they do. A program that takes this one's place reads
    /// them anew.
    var fault: Failure? {
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
        // An editor ends a file with a line feed, which is no part of a secret.
        let secret = bytes.last == 0x0a ? Array(bytes.dropLast()) : bytes
        guard secret.count >= secretBytes else { throw .isShort(file: file) }
        return .secret(secret)
    }

    /// Nil for a token that none of them has signed, or that is not for us or not now.
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
        // Of the two it is what the key is, which the library looks at.
        case (.publicKey(let pem), .rs256), (.publicKey(let pem), .es256): bytes = pem
        default: return false
        }
        return cjwt_is_signed(token.text, token.algorithm.rawValue, bytes, Int32(bytes.count))
    }
}
