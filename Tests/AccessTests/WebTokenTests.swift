import Glibc
import JSONScan
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
        WebToken("\(SignedToken.encode(head)).\(SignedToken.encode(claims)).c2lnbmVk")
    }

    private func identity(_ claims: String) -> Identity? {
        token(#"{"alg":"HS256","typ":"JWT"}"#, claims).flatMap {
            WebTokenClaims.identity(of: $0, audience: "acpbridge", at: Self.now)
        }
    }

    @Test func aValidTokenGivesTheIdentityAndItsExpiry() {
        #expect(
            identity(Self.good)
                == Identity(who: "jwt alice", role: .control, tenant: "acme", expiresTs: 1_700_000_060_000))
    }

    @Test(arguments: [
        #"{"alg":"none"}"#, #"{"alg":"None"}"#, #"{"alg":"HS512"}"#, #"{"alg":"hs256"}"#, #"{"alg":["HS256"]}"#, "{}",
        #"{"alg":"none","alg":"HS256"}"#, #"{"alg":"HS256","\u0061lg":"none"}"#,
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
        (#""role":"control""#, #""role":["admin"]"#),
        (#""tenant":"acme","#, ""), (#""tenant":"acme""#, #""tenant":"""#), (#""tenant":"acme""#, #""tenant":null"#),
        (#""tenant":"acme""#, #""tenant":["acme"]"#), (#""tenant":"acme""#, #""tenant":"a\nb""#),
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
}

/// Signatures by real keys, through libjwt.
@Suite struct IssuerKeysTests {
    private static let claims = #"{"aud":"acpbridge","exp":4000000000,"tenant":"acme","role":"observe"}"#
    private let folder = TemporaryFolder()

    private func keys(_ names: String...) throws -> IssuerKeys {
        try IssuerKeys(files: names.map { "\(folder.path)/\($0)" }, audience: "acpbridge")
    }

    private func isTaken(_ token: String, by keys: IssuerKeys) -> Bool {
        keys.identity(showing: token, at: 1_700_000_000_000) != nil
    }

    @Test func aKeyThatOthersCanWriteIsRefused() throws {
        let path = folder.file("laid", String(repeating: "x", count: 40))
        _ = try keys("laid")
        #expect(chmod(path, 0o606) == 0)
        let error = #expect(throws: IssuerKeys.Failure.self) { try keys("laid") }
        #expect(error?.description.contains("other users can write to it") == true)
    }

    @Test(arguments: SignedToken.Algorithm.allCases)
    func onlyTokensSignedWithAConfiguredKeyAreAccepted(algorithm: SignedToken.Algorithm) throws {
        let issuer = try SignedToken.Issuer(algorithm, in: folder.path, name: "a")
        _ = try SignedToken.Issuer(algorithm, in: folder.path, name: "b")
        let token = try issuer.sign(Self.claims)
        #expect(isTaken(token, by: try keys("a.pub")))
        #expect(isTaken(token, by: try keys("b.pub", "a.pub")), "the key is one of several")
        #expect(!isTaken(token, by: try keys("b.pub")))
        let parts = token.split(separator: ".").map(String.init)
        let forged = SignedToken.encode(Self.claims.replacing("observe", with: "control"))
        #expect(!isTaken("\(parts[0]).\(forged).\(parts[2])", by: try keys("a.pub")))
        #expect(!isTaken("\(parts[0]).\(parts[1]).", by: try keys("a.pub")))
        let none = SignedToken.encode(#"{"alg":"none"}"#)
        for tail in ["", parts[2]] { #expect(!isTaken("\(none).\(parts[1]).\(tail)", by: try keys("a.pub"))) }
    }

    /// The public key is known to everyone, so a token that uses it as a shared secret must be refused.
    @Test(arguments: [SignedToken.Algorithm.rs256, .es256])
    func aTokenSignedWithThePublicKeyAsASecretIsRefused(algorithm: SignedToken.Algorithm) throws {
        _ = try SignedToken.Issuer(algorithm, in: folder.path, name: "a")
        let forger = SignedToken.Issuer(secretFile: folder.path + "/a.pub")
        #expect(!isTaken(try forger.sign(Self.claims), by: try keys("a.pub")))
    }

    @Test func aTokenSignedWithAKeyOfAnotherKindIsRefused() throws {
        let rsa = try SignedToken.Issuer(.rs256, in: folder.path, name: "rsa")
        let curve = try SignedToken.Issuer(.es256, in: folder.path, name: "ec")
        #expect(!isTaken(try rsa.sign(Self.claims, saying: "ES256"), by: try keys("ec.pub", "rsa.pub")))
        #expect(!isTaken(try curve.sign(Self.claims, saying: "RS256"), by: try keys("ec.pub", "rsa.pub")))
    }

    @Test func anInvalidKeyFileIsRefusedAtTheStart() throws {
        _ = try SignedToken.Issuer(.rs256, in: folder.path, name: "a")
        _ = SignedToken.Issuer.writeSecret("too short", to: folder.path + "/short")
        for name in ["a.key", "short", "missing"] {
            #expect(throws: IssuerKeys.Failure.self) { try keys(name) }
        }
    }
}
