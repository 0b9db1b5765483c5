import Posix
import Testing

@testable import Access

@Suite struct OneTimeSecretsTests {
    private let start = Instant(nanoseconds: 0)

    private func secrets(limit: Int = 2) -> OneTimeSecrets<Int> {
        var secrets = OneTimeSecrets<Int>(limit: limit)
        _ = secrets.add("first", 1, until: start + .seconds(60), at: start)
        return secrets
    }

    @Test func aSecretIsValidOnce() {
        var secrets = secrets()
        #expect(secrets.spend("first", at: start) == 1)
        #expect(secrets.spend("first", at: start) == nil)
    }

    @Test func aSecretEndsWithItsTime() {
        var early = secrets()
        #expect(early.spend("first", at: start + .milliseconds(59_999)) == 1)
        var late = secrets()
        #expect(late.spend("first", at: start + .seconds(60)) == nil)
        #expect(late.spend("first", at: start) == nil, "an expired secret does not become valid again")
    }

    @Test func anotherTextIsNoSecret() {
        var secrets = secrets()
        for text in ["", "First", "first ", "firs"] { #expect(secrets.spend(text, at: start) == nil) }
        #expect(secrets.spend("first", at: start) == 1)
    }

    @Test func aFullTableTakesNoneUntilOneEnds() {
        var secrets = secrets()
        let end = start + .seconds(90)
        let isAdded = [
            secrets.add("second", 2, until: end, at: start), secrets.add("third", 3, until: end, at: start),
            secrets.add("third", 3, until: end, at: start + .seconds(60)),
        ]
        #expect(isAdded == [true, false, true])
        #expect(secrets.count == 2)
        #expect(secrets.spend("second", at: start + .seconds(61)) == 2)
    }
}

@Suite struct AdmissionCodeTests {
    @Test func aTypedCodeCanBeSpelledLoosely() {
        let code = AdmissionCode.shortText(Array(0..<32))
        #expect(code == "01234-56789")
        #expect(AdmissionCode.canonical("o1234 56789") == AdmissionCode.canonical(code))
        #expect(AdmissionCode.canonical("OI23456789") == AdmissionCode.canonical(code))
        #expect(AdmissionCode.canonical("l1234-56789") != AdmissionCode.canonical(code))
    }

    @Test func aShortCodeHasNoAmbiguousLetters() {
        let symbols = Set((0...255).flatMap { AdmissionCode.shortText([UInt8](repeating: $0, count: 10)) })
        #expect(symbols == Set("0123456789ABCDEFGHJKMNPQRSTVWXYZ-"))
    }
}

@Suite struct OwnOriginTests {
    @Test(arguments: [
        ("http://127.0.0.1:7717", "127.0.0.1:7717", false), ("HTTP://LocalHost:7717", "localhost:7717", false),
        ("https://bridge.example", "bridge.example", false), ("https://bridge.example", "Bridge.example", true),
        ("https://[::1]:7717", "[::1]:7717", true),
    ])
    func theOriginOfTheRequestsHostIsTheBridgesOwn(origin: String, host: String, usesTLS: Bool) {
        #expect(OwnOrigin.matches(origin, host: host, usesTLS: usesTLS))
    }

    @Test(arguments: [
        ("http://127.0.0.1:7717", "127.0.0.1:7717", true), ("http://127.0.0.1", "127.0.0.1:7717", false),
        ("http://127.0.0.1:7718", "127.0.0.1:7717", false), ("http://localhost:7717", "127.0.0.1:7717", false),
        ("null", "null", false), ("http://", "", false), ("https://", "", true),
        ("http://127.0.0.1:7717/", "127.0.0.1:7717", false), ("ws://127.0.0.1:7717", "127.0.0.1:7717", false),
    ])
    func anyOtherOriginIsForeign(origin: String, host: String, usesTLS: Bool) {
        #expect(!OwnOrigin.matches(origin, host: host, usesTLS: usesTLS))
    }

    @Test func theOriginAtTheProxyIsOwnWhateverHostTheProxySends() {
        let origin = "https://bridge.example"
        #expect(OwnOrigin.matches("https://Bridge.example", host: "127.0.0.1", usesTLS: false, publicOrigin: origin))
        #expect(!OwnOrigin.matches("http://bridge.example", host: "127.0.0.1", usesTLS: false, publicOrigin: origin))
        #expect(!OwnOrigin.matches("https://other.example", host: "127.0.0.1", usesTLS: false, publicOrigin: origin))
    }
}
