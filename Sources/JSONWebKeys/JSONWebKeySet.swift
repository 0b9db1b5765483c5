import JSONScan
import Posix

/// A public key of a key set (JWKS).
package struct JSONWebKey: Sendable, Equatable {
    /// The signature algorithms whose keys are used.
    package enum Algorithm: String, Sendable, CaseIterable {
        case rs256 = "RS256"
        case es256 = "ES256"
        /// With Ed25519 only.
        case eddsa = "EdDSA"

        /// - Parameter name: As in `alg`. `Ed25519` is the newer name of this use of EdDSA (RFC 9864, section 2.2).
        package init?(name: String) { self.init(rawValue: name == "Ed25519" ? Self.eddsa.rawValue : name) }

        /// For people: `RS256, ES256 or EdDSA`.
        package static let list = "RS256, ES256 or EdDSA"
    }

    /// `kid`; nil if the key has none.
    package let id: String?
    package let algorithm: Algorithm
    /// The key as PEM.
    package let pem: [UInt8]
}

/// Reads key sets. Pure. Source: RFC 7517, section 5.
package enum JSONWebKeySet {
    /// Larger than any real set: an RSA key has about 400 bytes, with a certificate chain 5 KiB.
    package static let limitBytes = 64 << 10
    /// A token without `kid` is checked with every key of its algorithm, which takes about 30 µs for each.
    package static let limitKeys = 64
    /// The limit of a `kid`. Keys with longer ones are not used.
    static let idLimitBytes = 256

    package enum Fault: Error, Equatable, CustomStringConvertible {
        case tooLong
        case notASet
        case tooManyKeys
        case privateKey

        package var description: String {
            switch self {
            case .tooLong: "the key set has more than \(limitBytes) bytes"
            case .notASet: "the text is not a key set: {\"keys\":[…]}"
            case .tooManyKeys: "the key set has more than \(limitKeys) keys"
            case .privateKey: "the key set contains a private key, but a bridge needs only public keys"
            }
        }
    }

    /// Returns the keys that can be used. A key of another type, algorithm or use is ignored, as RFC 7517 requires; a
    /// symmetric key too, because its secret would have been published.
    package static func keys(in bytes: [UInt8]) throws(Fault) -> [JSONWebKey] {
        guard bytes.count <= limitBytes else { throw .tooLong }
        guard let set = try? JSONValue(validating: bytes), set.kind == .object, !set.repeatsName,
            let list = set["keys"], list.kind == .array
        else { throw .notASet }
        let elements = list.elements
        guard elements.count <= limitKeys else { throw .tooManyKeys }
        var keys: [JSONWebKey] = []
        for element in elements {
            if element["kty"]?.stringValue != "oct", element["d"] != nil { throw .privateKey }
            if let key = key(element) { keys.append(key) }
        }
        return keys
    }

    private static func key(_ value: JSONValue) -> JSONWebKey? {
        guard value.kind == .object, !value.repeatsName, isForSignatures(value), let found = publicKey(value) else {
            return nil
        }
        if let name = value["alg"] {
            guard name.stringValue.flatMap(JSONWebKey.Algorithm.init(name:)) == found.algorithm else { return nil }
        }
        guard let id = value["kid"] else { return JSONWebKey(id: nil, algorithm: found.algorithm, pem: found.pem) }
        guard let name = id.stringValue, name.utf8.count <= idLimitBytes else { return nil }
        return JSONWebKey(id: name, algorithm: found.algorithm, pem: found.pem)
    }

    /// Source: RFC 7517, sections 4.2 and 4.3.
    private static func isForSignatures(_ value: JSONValue) -> Bool {
        if let use = value["use"], use.stringValue != "sig" { return false }
        if let operations = value["key_ops"] { return operations.elements.contains { $0.stringValue == "verify" } }
        return true
    }

    private static func publicKey(_ value: JSONValue) -> (algorithm: JSONWebKey.Algorithm, pem: [UInt8])? {
        switch value["kty"]?.stringValue {
        case "RSA":
            guard let modulus = bytes(value["n"]), let exponent = bytes(value["e"]) else { return nil }
            return PublicKeyText.rsa(modulus: modulus, exponent: exponent).map { (.rs256, $0) }
        case "EC":
            guard value["crv"]?.stringValue == "P-256", let x = bytes(value["x"]), let y = bytes(value["y"]) else {
                return nil
            }
            return PublicKeyText.p256(x: x, y: y).map { (.es256, $0) }
        // Source: RFC 8037, section 2.
        case "OKP":
            guard value["crv"]?.stringValue == "Ed25519", let x = bytes(value["x"]) else { return nil }
            return PublicKeyText.ed25519(x).map { (.eddsa, $0) }
        default: return nil
        }
    }

    private static func bytes(_ value: JSONValue?) -> [UInt8]? { value?.stringValue.flatMap { Base64URL.decode($0) } }
}
