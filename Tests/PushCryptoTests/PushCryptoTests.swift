import Posix
import Testing

@testable import PushCrypto

@Suite struct PushCryptoTests {
    private static func bytes(_ text: String) -> [UInt8] { Base64URL.decode(text) ?? [] }

    private static let sender = P256KeyPair(
        privateKey: bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"),
        publicKey: bytes(
            "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8"))
    private static let keys = PushKeys(
        p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        auth: "BTBZMqHH6r4Tts7J_aSIgg")

    /// Source: RFC 8291, section 5.
    @Test func theBodyIsTheStandardsExample() throws {
        let body = try PushEncryption.body(
            Array("When I grow up, I want to be a watermelon".utf8), for: try #require(Self.keys),
            sender: try #require(Self.sender), salt: Self.bytes("DGv6ra1nlYgDCS1FRnbzlw"))
        #expect(
            Base64URL.encode(body)
                == "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8"
                + "wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN")
    }

    @Test func aMessageFillsAtMostOneRecord() throws {
        let keys = try #require(Self.keys)
        let longest = [UInt8](repeating: 7, count: PushEncryption.textLimitBytes)
        #expect(try PushEncryption.body(longest, for: keys).count == 4096)
        #expect(throws: CryptoFailure.self) { try PushEncryption.body(longest + [7], for: keys) }
    }

    @Test func aKeyThatIsNotOnTheCurveIsRefused() throws {
        let point = Base64URL.encode([4] + [UInt8](repeating: 1, count: 64))
        let keys = try #require(PushKeys(p256dh: point, auth: "BTBZMqHH6r4Tts7J_aSIgg"))
        #expect(throws: CryptoFailure.self) { try PushEncryption.body([1], for: keys) }
    }

    @Test(arguments: [
        ("", "BTBZMqHH6r4Tts7J_aSIgg"), ("BCVx", "BTBZMqHH6r4Tts7J_aSIgg"),
        ("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4", "BTBZ"),
        ("A!", "B!"),
    ])
    func malformedKeysAreRefused(p256dh: String, auth: String) { #expect(PushKeys(p256dh: p256dh, auth: auth) == nil) }

    @Test func aKeyPairSurvivesItsFile() throws {
        let pair = try P256KeyPair()
        #expect(P256KeyPair(text: pair.text) == pair)
        for text in ["", ".", "AA.AA", "\(pair.text).AA"] { #expect(P256KeyPair(text: text) == nil) }
    }

    /// Made with `openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256`.
    private static let pem = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg2AFzxHMZR37g5ePn
        ZRjd2NexCY5ii939Zy75f+gpnA6hRANCAAR+lc2Y0iQYlOkSeep5tXRbb1hSs38c
        BW9PBRjVohrTyuykaZYcfGUZF5rs0rQgKjL3/MlRd7miG1AaJ3RtYioy
        -----END PRIVATE KEY-----
        """

    @Test func aKeyFileInPEMFormIsRead() throws {
        let key = try P256KeyPair(pem: Self.pem)
        #expect(
            Base64URL.encode(key.publicKey)
                == "BH6VzZjSJBiU6RJ56nm1dFtvWFKzfxwFb08FGNWiGtPK7KRplhx8ZRkXmuzStCAqMvf8yVF3uaIbUBondG1iKjI")
        #expect(try P256KeyPair(pem: "a comment\r\n" + Self.pem.replacing("\n", with: "\r\n") + "\r\n") == key)
    }

    @Test func otherKeyFilesAreRefused() {
        let lines = Self.pem.split(separator: "\n")
        let rsa = "-----BEGIN PRIVATE KEY-----\nMAA=\n-----END PRIVATE KEY-----"
        for text in ["", "x", rsa, lines.dropLast().joined(separator: "\n"), lines.dropFirst().joined(separator: "\n")]
        {
            #expect(throws: CryptoFailure.self, "\(text)") { try P256KeyPair(pem: text) }
        }
    }

    @Test func theTokenForAPNsNamesTheKeyAndTheTeam() throws {
        let key = try P256KeyPair()
        let token = try APNsToken(keyId: "ABC123DEFG", teamId: "DEF123GHIJ", key: key, now: 1_437_179_036)
        let parts = token.text.split(separator: ".").map { Base64URL.decode($0) ?? [] }
        #expect(parts.count == 3 && parts[2].count == 64)
        #expect(String(decoding: parts[0], as: UTF8.self) == #"{"alg":"ES256","kid":"ABC123DEFG"}"#)
        #expect(String(decoding: parts[1], as: UTF8.self) == #"{"iss":"DEF123GHIJ","iat":1437179036}"#)
        #expect(token.isFresh(at: 1_437_179_036) && token.isFresh(at: 1_437_179_036 + 2699))
        #expect(!token.isFresh(at: 1_437_179_036 + 2700) && !token.isFresh(at: 1_437_179_035))
    }

    @Test func theVAPIDTokenNamesTheServiceAndTheKey() throws {
        let key = try P256KeyPair()
        let value = try VAPID.authorization(
            origin: "https://push.example", subject: "mailto:me@example.org", key: key, now: 1_700_000_000)
        let parts = value.split(separator: ",")
        #expect(parts.count == 2 && parts[0].hasPrefix("vapid t="))
        #expect(parts[1] == "k=\(Base64URL.encode(key.publicKey))")
        let token = parts[0].dropFirst("vapid t=".count).split(separator: ".").map { Base64URL.decode($0) ?? [] }
        #expect(
            String(decoding: token[1], as: UTF8.self)
                == #"{"aud":"https://push.example","exp":1700043200,"sub":"mailto:me@example.org"}"#)
        #expect(token.count == 3 && token[2].count == 64)
    }

    /// Source: the example in the specification of Standard Webhooks.
    @Test func theWebhookSignatureIsTheStandardsExample() throws {
        let secret = try #require(WebhookSignature.secret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
        let value = try WebhookSignature.value(
            id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: 1_614_265_330, body: Array(#"{"test": 2432232314}"#.utf8),
            secret: secret)
        #expect(value == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
    }

    @Test(arguments: ["", "whsec_", "whsec_AAAA", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_M*KQ9r8GKYqrTwjUPD8ILPZI"])
    func malformedSecretsAreRefused(text: String) { #expect(WebhookSignature.secret(text) == nil) }
}
