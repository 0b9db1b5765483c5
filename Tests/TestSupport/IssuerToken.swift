import Glibc

/// Tokens (JWT) as an issuer signs them, created with the `openssl` program.
package enum IssuerToken {
    package enum Algorithm: String, CaseIterable, Sendable {
        case hs256 = "HS256"
        case rs256 = "RS256"
        case es256 = "ES256"
        case eddsa = "EdDSA"
    }

    package struct Failed: Error { public let command: String }

    /// Base64 for URLs.
    package static func encode(_ text: String) -> String { encode(Array(text.utf8)) }

    static func encode(_ bytes: [UInt8]) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = Array(bytes[start..<min(start + 3, bytes.count)])
            let bits = (0..<3).reduce(UInt32(0)) { $0 << 8 | UInt32($1 < group.count ? group[$1] : 0) }
            for position in 0...group.count { text.append(alphabet[Int(bits >> UInt32(18 - 6 * position) & 63)]) }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// An issuer that has the key for signing tokens.
    package struct Issuer: Sendable {
        private let algorithm: Algorithm
        private let keyFile: String

        /// Creates a key: `NAME.key`, and `NAME.pub` for the bridge. For a shared secret, both files are equal.
        package init(_ algorithm: Algorithm, in folder: String, name: String) throws {
            self.algorithm = algorithm
            keyFile = "\(folder)/\(name).key"
            let publicFile = "\(folder)/\(name).pub"
            switch algorithm {
            case .hs256:
                let secret = (0..<40).map { _ in String(UInt8.random(in: 16...255), radix: 16) }.joined()
                for file in [keyFile, publicFile] { Self.writeSecret(secret, to: file) }
            case .rs256: try make("-algorithm RSA -pkeyopt rsa_keygen_bits:2048", publicFile)
            case .es256: try make("-algorithm EC -pkeyopt ec_paramgen_curve:P-256", publicFile)
            case .eddsa: try make("-algorithm ED25519", publicFile)
            }
        }

        /// Creates an issuer that uses the bytes of a file as its secret.
        package init(secretFile: String) {
            algorithm = .hs256
            keyFile = secretFile
        }

        private func make(_ options: String, _ publicFile: String) throws {
            _ = try IssuerToken.output(of: "openssl genpkey \(options) -out \(keyFile) 2>&1")
            _ = try IssuerToken.output(of: "openssl pkey -in \(keyFile) -pubout -out \(publicFile)")
        }

        @discardableResult
        package static func writeSecret(_ secret: String, to file: String) -> Bool {
            guard let stream = fopen(file, "w") else { return false }
            defer { fclose(stream) }
            return fputs(secret, stream) >= 0
        }

        /// - Parameters:
        ///   - name: The algorithm in the token's header, if it should be false.
        ///   - keyId: The header's `kid`.
        package func sign(_ claims: String, saying name: String? = nil, keyId: String? = nil) throws -> String {
            let id = keyId.map { #","kid":"\#($0)""# } ?? ""
            let head = #"{"alg":"\#(name ?? algorithm.rawValue)","typ":"JWT"\#(id)}"#
            let signed = "\(IssuerToken.encode(head)).\(IssuerToken.encode(claims))"
            return "\(signed).\(IssuerToken.encode(try signature(of: signed)))"
        }

        /// The public key as a JSON Web Key (RFC 7517). A shared secret has none.
        package func publicJSON(id: String?) throws -> String {
            let name = id.map { #","kid":"\#($0)""# } ?? ""
            let input = "openssl pkey -in \(keyFile) -pubout -outform DER"
            switch algorithm {
            case .hs256: throw Failed(command: "a shared secret has no public key")
            case .rs256:
                // The key ends with n, 256 bytes, and the exponent 65,537, 5 bytes with its head.
                let end = try IssuerToken.output(of: "\(input) | tail -c 261")
                let modulus = IssuerToken.encode(Array(end.prefix(256)))
                return #"{"kty":"RSA","use":"sig","n":"\#(modulus)","e":"AQAB"\#(name)}"#
            case .es256:
                // The point is at the end: x and y, 32 bytes each.
                let point = try IssuerToken.output(of: "\(input) | tail -c 64")
                let (x, y) = (Array(point.prefix(32)), Array(point.suffix(32)))
                return
                    #"{"kty":"EC","crv":"P-256","x":"\#(IssuerToken.encode(x))","y":"\#(IssuerToken.encode(y))"\#(name)}"#
            case .eddsa:
                let key = IssuerToken.encode(try IssuerToken.output(of: "\(input) | tail -c 32"))
                return #"{"kty":"OKP","crv":"Ed25519","x":"\#(key)"\#(name)}"#
            }
        }

        private func signature(of text: String) throws -> [UInt8] {
            let digest = "printf %s '\(text)' | openssl dgst -sha256 -binary"
            switch algorithm {
            case .hs256:
                let hexadecimal = "$(od -An -v -tx1 \(keyFile) | tr -d ' \\n')"
                return try IssuerToken.output(of: "\(digest) -mac HMAC -macopt hexkey:\(hexadecimal)")
            case .rs256: return try IssuerToken.output(of: "\(digest) -sign \(keyFile)")
            case .es256: return Self.joined(try IssuerToken.output(of: "\(digest) -sign \(keyFile)"))
            case .eddsa:
                // The program signs only a regular file, because it must know the size.
                return try IssuerToken.output(
                    of: "f=$(mktemp) && printf %s '\(text)' >\"$f\" && "
                        + "openssl pkeyutl -sign -rawin -inkey \(keyFile) -in \"$f\"; s=$?; rm \"$f\"; exit $s")
            }
        }

        /// The two integers of a DER sequence, 32 bytes each. Source: RFC 7518, section 3.4.
        private static func joined(_ der: [UInt8]) -> [UInt8] {
            var rest = der.dropFirst(2)
            return (0..<2).flatMap { _ -> [UInt8] in
                let count = Int(rest.dropFirst().first ?? 0)
                let integer = rest.dropFirst(2).prefix(count).drop { $0 == 0 }
                rest = rest.dropFirst(2 + count)
                return [UInt8](repeating: 0, count: max(0, 32 - integer.count)) + integer
            }
        }
    }

    private static func output(of command: String) throws -> [UInt8] {
        guard let stream = popen(command, "re") else { throw Failed(command: command) }
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        let count = fread(&bytes, 1, bytes.count, stream)
        guard pclose(stream) == 0 else { throw Failed(command: command) }
        return Array(bytes.prefix(count))
    }
}
