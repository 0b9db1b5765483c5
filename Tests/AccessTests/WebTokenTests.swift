import Glibc
import JSONScan
import JSONWebKeys
import Posix
import TestSupport
import Testing
import Tinyvex

@testable import Access

/// The required claims of a token. `IssuerKeysTests` tests the signature.
@Suite struct WebTokenTests {
    private static let now: Int64 = 1_700_000_000_000
    private static let good =
        #"{"aud":"acpbridge","exp":1700000060,"sub":"alice","tenant":"acme","role":"control"}"#

    private func token(_ head: String, _ claims: String) -> WebToken? {
        WebToken("\(IssuerToken.encode(head)).\(IssuerToken.encode(claims)).c2lnbmVk")
    }

    private func identity(_ claims: String, _ rules: TokenRules = TokenRules(audience: "acpbridge")) -> Identity? {
        token(#"{"alg":"HS256","typ":"JWT"}"#, claims).flatMap {
            WebTokenClaims.identity(of: $0, rules, at: Self.now)
        }
    }

    @Test func aValidTokenGivesTheIdentityAndItsExpiry() {
        #expect(
            identity(Self.good)
                == Identity(who: "jwt alice", role: .control, tenant: "acme", expiresTs: 1_700_000_060_000))
    }

    @Test(arguments: [
        #"{"alg":"none"}"#, #"{"alg":"None"}"#, #"{"alg":"HS512"}"#, #"{"alg":"hs256"}"#, #"{"alg":["HS256"]}"#, "{}",
        #"{"alg":"HS256","kid":7}"#, #"{"alg":"none","alg":"HS256"}"#, #"{"alg":"HS256","\u0061lg":"none"}"#,
        #"{"alg":"HS256","crit":["b64"],"b64":false}"#, "[]", "null", "{", "",
    ])
    func aHeaderMustContainExactlyOneKnownAlgorithm(head: String) { #expect(token(head, Self.good) == nil) }

    @Test(arguments: [
        "", ".", "..", "a.b", "e30.e30.", "e30.e30.e30.e30", "e30=.e30.e30", "\u{0}.\u{0}.\u{0}",
        String(repeating: "a", count: 10_000),
    ])
    func malformedTokensAreRejected(text: String) { #expect(WebToken(text) == nil) }

    private static let changes: [(String, String)] = [
        (#""exp":1700000060"#, #""exp":1700000000"#), (#""exp":1700000060"#, #""exp":"1700000060""#),
        (#""exp":1700000060,"#, ""), (#""exp":1700000060"#, #""exp":null"#), (#""exp":1700000060"#, #""exp":-1e99"#),
        (#""exp":1700000060"#, #""exp":1700000060,"nbf":1700000031"#),
        (#""exp":1700000060"#, #""exp":1700000060,"nbf":"0""#),
        (#""exp":1700000060"#, #""exp":1700000060,"exp":1800000000"#),
        (#""aud":"acpbridge""#, #""aud":"another""#), (#""aud":"acpbridge","#, ""),
        (#""aud":"acpbridge""#, #""aud":[]"#),
        (#""aud":"acpbridge""#, #""aud":["another"]"#), (#""aud":"acpbridge""#, #""aud":{"acpbridge":1}"#),
        (#""role":"control""#, #""role":"root""#), (#","role":"control""#, ""),
        (#""role":"control""#, #""role":[["control"]]"#), (#""role":"control""#, #""role":[]"#),
        (#""role":"control""#, #""role":"""#), (#""role":"control""#, #""role":"Control""#),
        (#""tenant":"acme","#, ""), (#""tenant":"acme""#, #""tenant":"""#), (#""tenant":"acme""#, #""tenant":null"#),
        (#""tenant":"acme""#, #""tenant":["acme"]"#), (#""tenant":"acme""#, #""tenant":"a\nb""#),
        (#""tenant":"acme""#, #""tenant":"a\u007f""#), (#""tenant":"acme""#, #""tenant":"a\u009b31m""#),
        (#""tenant":"acme""#, #""tenant":"a\u202eb""#), (#""tenant":"acme""#, #""tenant":"a\u2028b""#),
    ]

    @Test(arguments: changes)
    func aTokenWithAnInvalidClaimIsRefused(change: (String, String)) {
        let claims = Self.good.replacing(change.0, with: change.1)
        #expect(claims != Self.good && identity(claims) == nil, "\(claims)")
    }

    @Test(arguments: [
        (#""aud":"acpbridge""#, #""aud":["another","acpbridge"]"#),
        (#""exp":1700000060"#, #""exp":1700000000.5"#), (#""exp":1700000060"#, #""exp":1.7e300"#),
        (#""exp":1700000060"#, #""exp":1700000060,"nbf":1700000030"#),
        (#""sub":"alice""#, #""sub":"a\nforged line""#), (#""sub":"alice","#, ""),
    ])
    func toleratedVariationsOfClaimsAreAccepted(change: (String, String)) {
        let claims = Self.good.replacing(change.0, with: change.1)
        #expect(claims != Self.good && identity(claims) != nil, "\(claims)")
        #expect(identity(claims)?.who.contains("\n") == false)
    }

    @Test func aTenantsAdminIsAController() {
        #expect(identity(Self.good.replacing("control", with: "admin"))?.role == .control)
    }

    // MARK: Rules

    private static let foreign = #"""
        {"iss":"https://login.example/","aud":["x","acpbridge"],"exp":1700000060,"sub":"u1","email":"a@b.example",
        "app_metadata":{"tenant_id":"acme"},"https://b.example/tenant":"named","scope":"openid bridge:write"}
        """#

    private static var rules: TokenRules {
        TokenRules(
            audience: "acpbridge", issuer: "https://login.example/", tenantClaim: ClaimName("app_metadata.tenant_id"),
            roleClaim: ClaimName("scope"), subjectClaim: ClaimName("email"),
            roles: ["bridge:read": .observe, "bridge:write": .control])
    }

    @Test func theNamesOfTheClaimsCanBeChosen() {
        let expected = Identity(
            who: "jwt a@b.example", role: .control, tenant: "acme", expiresTs: 1_700_000_060_000)
        #expect(identity(Self.foreign, Self.rules) == expected)
        var named = Self.rules
        named.tenantClaim = ClaimName("https://b.example/tenant")
        #expect(identity(Self.foreign, named)?.tenant == "named")
    }

    @Test(arguments: [
        (#""iss":"https://login.example/","#, ""), (#"login.example/""#, #"login.example""#),
        (#""iss":"https://login.example/""#, #""iss":["https://login.example/"]"#),
        (#""tenant_id":"acme""#, #""tenant_id":"acme","tenant_id":"other""#),
        (#"{"tenant_id":"acme"}"#, #""acme""#), (#"{"tenant_id":"acme"}"#, #"[{"tenant_id":"acme"}]"#),
        ("bridge:write", "control"), ("bridge:write", "bridge:writer"),
    ])
    func theClaimsMustFollowTheRules(change: (String, String)) {
        let claims = Self.foreign.replacing(change.0, with: change.1)
        #expect(claims != Self.foreign && identity(claims, Self.rules) == nil, "\(claims)")
    }

    @Test(arguments: [
        (#""bridge:write bridge:read""#, Role.control), (#"["bridge:read","other",7]"#, .observe),
        (#"["bridge:read","bridge:write"]"#, .control), (#""bridge:read""#, .observe),
    ])
    func theHighestKnownRoleCounts(claim: String, role: Role) {
        let claims = Self.foreign.replacing(#""openid bridge:write""#, with: claim)
        #expect(identity(claims, Self.rules)?.role == role)
    }

    @Test func aClaimWithTheWholeNameComesBeforeAPath() {
        let claims = Self.foreign.replacing(#""sub":"u1""#, with: #""sub":"u1","app_metadata.tenant_id":"whole""#)
        #expect(identity(claims, Self.rules)?.tenant == "whole")
    }
}

/// Signatures by real keys, through libjwt and OpenSSL.
@Suite struct IssuerKeysTests {
    private static let claims = #"{"aud":"acpbridge","exp":4000000000,"tenant":"acme","role":"observe"}"#
    private let folder = TemporaryFolder()

    private func keys(_ names: String...) throws -> IssuerKeys {
        try IssuerKeys(files: names.map { "\(folder.path)/\($0)" }, rules: TokenRules(audience: "acpbridge"))
    }

    private func isTaken(_ token: String, by keys: IssuerKeys) -> Bool {
        if case .known = verdict(on: token, by: keys) { return true }
        return false
    }

    private func verdict(
        on token: String, by keys: IssuerKeys, fetched: [JSONWebKey] = []
    ) -> IssuerKeys.Verdict {
        keys.verdict(on: token, at: 1_700_000_000_000, fetched: fetched)
    }

    // MARK: Key sets

    private func setKeys(_ issuers: [IssuerToken.Issuer], ids: [String?]) throws -> [JSONWebKey] {
        let keys = try zip(issuers, ids).map { try $0.publicJSON(id: $1) }
        return try JSONWebKeySet.keys(in: Array(#"{"keys":[\#(keys.joined(separator: ","))]}"#.utf8))
    }

    @Test(arguments: [IssuerToken.Algorithm.rs256, .es256, .eddsa])
    func aKeyOfASetChecksTokensThatNameItOrNone(algorithm: IssuerToken.Algorithm) throws {
        let (a, b) = (
            try IssuerToken.Issuer(algorithm, in: folder.path, name: "a"),
            try IssuerToken.Issuer(algorithm, in: folder.path, name: "b")
        )
        let none = try keys()
        let both = try setKeys([a, b], ids: ["a", "b"])
        #expect(both.count == 2)
        for id in ["b", nil] {
            let token = try b.sign(Self.claims, keyId: id)
            let isKnown = if case .known = verdict(on: token, by: none, fetched: both) { true } else { false }
            #expect(isKnown)
        }
        #expect(verdict(on: try b.sign(Self.claims, keyId: "a"), by: none, fetched: both) == .unknown)
        #expect(verdict(on: try b.sign(Self.claims, keyId: "c"), by: none, fetched: both) == .unknownKey)
        let unnamed = try setKeys([b], ids: [nil])
        #expect(verdict(on: try b.sign(Self.claims, keyId: "c"), by: none, fetched: unnamed) != .unknownKey)
    }

    @Test func aTokenWithoutAKeyIdWaitsForTheFirstSet() throws {
        let issuer = try IssuerToken.Issuer(.es256, in: folder.path, name: "a")
        let other = try IssuerToken.Issuer(.es256, in: folder.path, name: "b")
        let token = try issuer.sign(Self.claims)
        #expect(verdict(on: token, by: try keys()) == .unknownKey)
        #expect(verdict(on: token, by: try keys(), fetched: try setKeys([other], ids: ["b"])) == .unknown)
    }

    @Test func aTokenForAnotherAudienceDoesNotCauseARequest() throws {
        let issuer = try IssuerToken.Issuer(.es256, in: folder.path, name: "a")
        let token = try issuer.sign(Self.claims.replacing("acpbridge", with: "another"), keyId: "new")
        #expect(verdict(on: token, by: try keys()) == .unknown)
    }

    /// The keys of a set are public, so a token that uses one as a shared secret must be refused.
    @Test(arguments: [IssuerToken.Algorithm.rs256, .es256, .eddsa])
    func aTokenSignedWithASetsKeyAsASecretIsRefused(algorithm: IssuerToken.Algorithm) throws {
        let issuer = try IssuerToken.Issuer(algorithm, in: folder.path, name: "a")
        let set = try setKeys([issuer], ids: ["a"])
        #expect(set.count == 1)
        IssuerToken.Issuer.writeSecret(String(decoding: set.first?.pem ?? [], as: UTF8.self), to: folder.path + "/pem")
        let forger = IssuerToken.Issuer(secretFile: folder.path + "/pem")
        for name in [nil, "RS256", "ES256", "EdDSA"] {
            let token = try forger.sign(Self.claims, saying: name, keyId: "a")
            if case .known = verdict(on: token, by: try keys(), fetched: set) {
                Issue.record("accepted as \(name ?? "")")
            }
        }
    }

    private static let sshKey = "AAAAC3NzaC1lZDI1NTE5AAAAIGt5VX0Zf0xDpF3W"
    /// Files of SSH keys: with options, comments and blanks before them, without a type, and in the form of RFC 4716.
    private static let sshForms = [
        "ssh-ed25519 \(sshKey) me@host\n", "\n  ssh-ed25519 \(sshKey)", "# mine\r\nssh-ed25519 \(sshKey)\r\n",
        #"command="echo a b",no-pty ssh-ed25519 \#(sshKey) me@host"#, "host.example\tssh-ed25519\t\(sshKey)\n", sshKey,
        "---- BEGIN SSH2 PUBLIC KEY ----\nComment: mine\n\(sshKey)\n---- END SSH2 PUBLIC KEY ----\n",
        "---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\nP2/56wAAAi4AAAA3aWYtbW9kbn\n",
    ]

    /// A file that is not PEM is a secret. A public key in it would be one that everybody knows.
    @Test(arguments: [IssuerToken.Algorithm.rs256, .es256, .eddsa])
    func aPublicKeyInAnotherFormThanPEMIsNoSecret(algorithm: IssuerToken.Algorithm) throws {
        let issuer = try IssuerToken.Issuer(algorithm, in: folder.path, name: "a")
        let json = try issuer.publicJSON(id: "a")
        let pem = try #require(try setKeys([issuer], ids: ["a"]).first?.pem)
        let base64 = String(decoding: pem, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("-----") }
        var der: [UInt8] = []
        Base64Text.decode(Array(base64.joined().utf8).span, to: &der)
        let forms: [[UInt8]] =
            [
                Array(json.utf8), Array(#"{"keys":[\#(json)]}"#.utf8), Array("\n \(json)\n".utf8), der,
                Array(base64.joined(separator: "\n").utf8), Array(base64.joined().utf8),
                pem.flatMap { [$0, 0] }, Array("[\(json)]".utf8),
            ] + Self.sshForms.map { Array($0.utf8) }
        for form in forms {
            let path = folder.path + "/form"
            try PrivateFile.replace(path, with: form)
            let failure = #expect(throws: IssuerKeys.Failure.self) { try keys("form") }
            #expect(failure?.description.contains("another form than PEM") == true)
        }
        for secret in [
            String(repeating: "x", count: 32), String(repeating: "0123456789abcdef", count: 4),
            "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15]",
            #"{"secret":"0123456789012345678901"}"#, "MCowBQYDK2VwAyEA is no key, but a secret",
            #"[{"secret":"0123456789012345678901"}]"#, "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
            "a secret with the word ssh-ed25519 in it",
        ] {
            try PrivateFile.replace(folder.path + "/form", with: Array(secret.utf8))
            _ = try keys("form")
        }
    }

    @Test func aSetInAFileIsReadAtTheStart() throws {
        let issuer = try IssuerToken.Issuer(.es256, in: folder.path, name: "a")
        let rules = TokenRules(audience: "acpbridge")
        let file = folder.file("set.json", #"{"keys":[\#(try issuer.publicJSON(id: "a"))]}"#)
        let keys = try IssuerKeys(files: [], setFile: file, rules: rules)
        #expect(isTaken(try issuer.sign(Self.claims, keyId: "a"), by: keys))
        for text in ["", "{}", #"{"keys":[]}"#, #"{"keys":[{"kty":"OKP"}]}"#] {
            let bad = folder.file("bad.json", text)
            #expect(throws: IssuerKeys.Failure.self) { try IssuerKeys(files: [], setFile: bad, rules: rules) }
        }
    }

    @Test func aKeyThatOthersCanWriteIsRefused() throws {
        let path = folder.file("laid", String(repeating: "x", count: 40))
        _ = try keys("laid")
        #expect(chmod(path, 0o606) == 0)
        let error = #expect(throws: IssuerKeys.Failure.self) { try keys("laid") }
        #expect(error?.description.contains("other users can write to it") == true)
    }

    @Test(arguments: IssuerToken.Algorithm.allCases)
    func onlyTokensSignedWithAConfiguredKeyAreAccepted(algorithm: IssuerToken.Algorithm) throws {
        let issuer = try IssuerToken.Issuer(algorithm, in: folder.path, name: "a")
        _ = try IssuerToken.Issuer(algorithm, in: folder.path, name: "b")
        let token = try issuer.sign(Self.claims)
        #expect(isTaken(token, by: try keys("a.pub")))
        #expect(isTaken(token, by: try keys("b.pub", "a.pub")), "the key is one of several")
        #expect(!isTaken(token, by: try keys("b.pub")))
        let parts = token.split(separator: ".").map(String.init)
        let forged = IssuerToken.encode(Self.claims.replacing("observe", with: "control"))
        #expect(!isTaken("\(parts[0]).\(forged).\(parts[2])", by: try keys("a.pub")))
        #expect(!isTaken("\(parts[0]).\(parts[1]).", by: try keys("a.pub")))
        let none = IssuerToken.encode(#"{"alg":"none"}"#)
        for tail in ["", parts[2]] { #expect(!isTaken("\(none).\(parts[1]).\(tail)", by: try keys("a.pub"))) }
    }

    /// The public key is known to everyone, so a token that uses it as a shared secret must be refused.
    @Test(arguments: [IssuerToken.Algorithm.rs256, .es256, .eddsa])
    func aTokenSignedWithThePublicKeyAsASecretIsRefused(algorithm: IssuerToken.Algorithm) throws {
        _ = try IssuerToken.Issuer(algorithm, in: folder.path, name: "a")
        let forger = IssuerToken.Issuer(secretFile: folder.path + "/a.pub")
        #expect(!isTaken(try forger.sign(Self.claims), by: try keys("a.pub")))
    }

    @Test func aTokenSignedWithAKeyOfAnotherKindIsRefused() throws {
        let rsa = try IssuerToken.Issuer(.rs256, in: folder.path, name: "rsa")
        let curve = try IssuerToken.Issuer(.es256, in: folder.path, name: "ec")
        let edwards = try IssuerToken.Issuer(.eddsa, in: folder.path, name: "ed")
        let all = try keys("ec.pub", "rsa.pub", "ed.pub")
        for (issuer, names) in [
            (rsa, ["ES256", "EdDSA", "Ed25519"]), (curve, ["RS256", "EdDSA"]), (edwards, ["RS256", "ES256", "HS256"]),
        ] {
            for name in names { #expect(!isTaken(try issuer.sign(Self.claims, saying: name), by: all), "\(name)") }
            #expect(isTaken(try issuer.sign(Self.claims), by: all))
        }
        #expect(isTaken(try edwards.sign(Self.claims, saying: "Ed25519"), by: all))
    }

    /// Source: RFC 8037, appendix A.4.
    @Test func theExampleOfTheStandardIsSignedWithEd25519() throws {
        _ = try keys()
        let set = #"{"keys":[{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}"#
        let pem = try #require(try JSONWebKeySet.keys(in: Array(set.utf8)).first?.pem)
        let text = "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc"[...]
        let signature = try #require(
            Base64URL.decode(
                "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg"[...]))
        #expect(IssuerKeys.isSignedEd25519(text, signature, pem: pem))
        #expect(!IssuerKeys.isSignedEd25519(text + "A", signature, pem: pem))
        for index in signature.indices {
            var changed = signature
            changed[index] ^= 1
            #expect(!IssuerKeys.isSignedEd25519(text, changed, pem: pem))
        }
        for count in [0, 63] { #expect(!IssuerKeys.isSignedEd25519(text, Array(signature.prefix(count)), pem: pem)) }
        #expect(!IssuerKeys.isSignedEd25519(text, signature + [0], pem: pem))
    }

    @Test func anInvalidKeyFileIsRefusedAtTheStart() throws {
        _ = try IssuerToken.Issuer(.rs256, in: folder.path, name: "a")
        _ = IssuerToken.Issuer.writeSecret("too short", to: folder.path + "/short")
        for name in ["a.key", "short", "missing"] {
            #expect(throws: IssuerKeys.Failure.self) { try keys(name) }
        }
    }
}
