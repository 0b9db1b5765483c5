import CJWT
import EventLoop
import JSONWebKeys
import Posix
import TextSearch

/// The keys of the issuers that sign tokens for this bridge, and the rules for the claims of these tokens.
///
/// The kind of the key determines the algorithm. The algorithm that the token names must match the key. A key of a set
/// (JWKS) is always a public key, so it never checks a token with HS256.
package struct IssuerKeys: Sendable {
    private enum Key: Sendable {
        case secret([UInt8])
        /// A key of RSA, P-256 or Ed25519, in PEM.
        case publicKey([UInt8])
    }

    /// A token and the identity of its bearer, or the reason why there is none.
    enum Verdict: Equatable {
        case known(Identity)
        /// None of the keys has signed the token, or its claims grant no access now.
        case unknown
        /// The claims would grant access, but the token names a key that is not in the set, or no key of its algorithm is
        /// known yet.
        case unknownKey
    }

    private let files: [String]
    private let setFile: String?
    private let keys: [Key]
    /// The keys of the set's file.
    private let setKeys: [JSONWebKey]
    private let rules: TokenRules

    /// RFC 7518, section 3.2: a secret must have at least as many bits as the hash.
    private static let secretBytes = 32
    private static let fileLimitBytes = 64 << 10

    package enum Failure: Error, CustomStringConvertible {
        case system(SystemError)
        case missing(file: String)
        case isPrivate(file: String)
        case isShort(file: String)
        case isNoPEM(file: String)
        case badSet(file: String, JSONWebKeySet.Fault)
        case emptySet(file: String)
        case noLibrary(String)

        package var description: String {
            switch self {
            case .system(let error): "the key cannot be read: \(error)"
            case .missing(let file): "\(file): there is no such file"
            case .isPrivate(let file):
                "\(file) contains a private key, but a bridge needs the public key: `openssl pkey -in FILE -pubout`"
            case .isShort(let file): "\(file): a secret has at least \(secretBytes) bytes"
            case .isNoPEM(let file):
                "\(file) contains a key in another form than PEM, and a public key must not become a secret: "
                    + "use --jwt-jwks for a key set, or `openssl pkey -pubin -inform DER -in FILE` to write PEM"
            case .badSet(let file, let fault): "\(file): \(fault)"
            case .emptySet(let file): "\(file): the key set has no key for \(JSONWebKey.Algorithm.list)"
            case .noLibrary(let reason):
                "tokens of an issuer need libjwt (`apt-get install libjwt0`, on Debian 13 `libjwt2`): \(reason)"
            }
        }
    }

    /// Reads the files and loads the library.
    ///
    /// - Parameters:
    ///   - files: One key in each.
    ///   - setFile: A key set; nil for none. A set that is fetched is passed to ``verdict(on:at:fetched:)``.
    package init(files: [String], setFile: String? = nil, rules: TokenRules) throws(Failure) {
        if let reason = Self.loadFailure { throw .noLibrary(reason) }
        var keys: [Key] = []
        for file in files { keys.append(try Self.key(file)) }
        self.files = files
        self.setFile = setFile
        self.keys = keys
        setKeys = try setFile.map { (file) throws(Failure) in try Self.set(file) } ?? []
        self.rules = rules
    }

    /// The reason why the current files cannot be used; nil if they can. A program that replaces this one reads the
    /// files again.
    package var fault: Failure? {
        do throws(Failure) { _ = try IssuerKeys(files: files, setFile: setFile, rules: rules) } catch { return error }
        return nil
    }

    private static let loadFailure = cjwt_load().map { String(cString: $0) }

    /// - Parameter limitBytes: Bytes beyond it are not read.
    private static func contents(_ file: String, limitBytes: Int) throws(Failure) -> [UInt8] {
        let read: [UInt8]?
        do throws(SystemError) {
            read = try PrivateFile.read(file, limitBytes: limitBytes)
        } catch {
            throw .system(error)
        }
        guard let bytes = read else { throw .missing(file: file) }
        return bytes
    }

    private static func set(_ file: String) throws(Failure) -> [JSONWebKey] {
        // One byte more than allowed, so that a longer set is refused and not cut off.
        let bytes = try contents(file, limitBytes: JSONWebKeySet.limitBytes + 1)
        let keys: [JSONWebKey]
        do throws(JSONWebKeySet.Fault) { keys = try JSONWebKeySet.keys(in: bytes) } catch {
            throw .badSet(file: file, error)
        }
        guard !keys.isEmpty else { throw .emptySet(file: file) }
        return keys
    }

    private static func key(_ file: String) throws(Failure) -> Key {
        let bytes = try contents(file, limitBytes: fileLimitBytes)
        let text = String(decoding: bytes, as: UTF8.self)
        if text.contains(text: "PRIVATE KEY-----") { throw .isPrivate(file: file) }
        if text.contains(text: "-----BEGIN ") { return .publicKey(bytes) }
        if KeyForms.includes(bytes) { throw .isNoPEM(file: file) }
        // Text editors end a file with a line feed, which does not belong to the secret.
        let secret = bytes.last == 0x0a ? Array(bytes.dropLast()) : bytes
        guard secret.count >= secretBytes else { throw .isShort(file: file) }
        return .secret(secret)
    }

    /// The claims are checked first, because that is cheaper, and so that only a token for this bridge can cause a request
    /// for a new key set.
    ///
    /// - Parameters:
    ///   - now: milliseconds since 1970.
    ///   - fetched: The keys of the set that was fetched last.
    func verdict(on text: String, at now: Int64, fetched: [JSONWebKey] = []) -> Verdict {
        guard let token = WebToken(text), let identity = WebTokenClaims.identity(of: token, rules, at: now) else {
            return .unknown
        }
        if keys.contains(where: { Self.hasSigned(token, $0) }) { return .known(identity) }
        guard let algorithm = JSONWebKey.Algorithm(rawValue: token.algorithm.rawValue) else { return .unknown }
        let candidates = (setKeys + fetched).filter { $0.algorithm == algorithm && Self.mayBeKey($0, of: token) }
        if candidates.contains(where: { Self.isSigned(token, $0.pem) }) { return .known(identity) }
        return candidates.contains { token.keyId == nil || $0.id == token.keyId } ? .unknown : .unknownKey
    }

    /// A token without `kid` can be signed with any key, and a key without `kid` can have signed any token.
    private static func mayBeKey(_ key: JSONWebKey, of token: WebToken) -> Bool {
        token.keyId == nil || key.id == nil || key.id == token.keyId
    }

    private static func hasSigned(_ token: WebToken, _ key: Key) -> Bool {
        switch (key, token.algorithm) {
        case (.secret(let secret), .hs256): isSigned(token, secret)
        // The libraries check the type of the PEM key, which permits only one of these algorithms.
        case (.publicKey(let pem), .rs256), (.publicKey(let pem), .es256), (.publicKey(let pem), .eddsa):
            isSigned(token, pem)
        default: false
        }
    }

    private static func isSigned(_ token: WebToken, _ key: [UInt8]) -> Bool {
        if token.algorithm == .eddsa { return isSignedEd25519(token.signedText, token.signature, pem: key) }
        return cjwt_is_signed(token.text, token.algorithm.rawValue, key, Int32(key.count))
    }

    /// Call after the library was loaded, which ``init(files:setFile:rules:)`` does.
    static func isSignedEd25519(_ text: Substring, _ signature: [UInt8], pem: [UInt8]) -> Bool {
        guard signature.count == cjwt_ed25519_bytes else { return false }
        let bytes = Array(text.utf8)
        return cjwt_is_signed_ed25519(bytes, bytes.count, signature, pem, Int32(pem.count))
    }
}
