import Testing

@testable import WebSocket

@Suite struct SHA1Tests {
    /// The examples of FIPS 180-4, and the lengths at which the padding needs another block.
    @Test(arguments: [
        ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
        ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
        ),
        (String(repeating: "a", count: 55), "c1c8bbdc22796e28c0e15163d20899b65621d65a"),
        (String(repeating: "a", count: 56), "c2db330f6083854c99d4b5bfb6e8f29f201be699"),
        (String(repeating: "a", count: 64), "0098ba824b5c16427bd7a1122a5a442a25ec644d"),
    ])
    func theExamplesOfTheStandardAreDigested(text: String, hex: String) {
        let digest = SHA1.digest(of: Array(text.utf8))
        let digits = Array("0123456789abcdef")
        #expect(String(digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }) == hex)
    }

    /// RFC 4648, section 10.
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ])
    func base64IsEncoded(text: String, encoded: String) {
        #expect(Base64.encode(Array(text.utf8)) == encoded)
        #expect(Base64.isEncoding(encoded, ofByteCount: text.utf8.count))
        #expect(!Base64.isEncoding(encoded, ofByteCount: text.utf8.count + 1))
    }
}
