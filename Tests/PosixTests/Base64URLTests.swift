import Posix
import Testing

/// Source of the vectors: RFC 4648, section 10, without padding; RFC 7515, appendix C.
@Suite struct Base64URLTests {
    @Test(arguments: [
        ("", ""), ("Zg", "f"), ("Zm8", "fo"), ("Zm9v", "foo"), ("Zm9vYg", "foob"), ("Zm9vYmE", "fooba"),
        ("Zm9vYmFy", "foobar"),
    ])
    func validTextIsDecoded(text: String, bytes: String) { #expect(Base64URL.decode(text) == Array(bytes.utf8)) }

    @Test(arguments: [0, 1, 2, 3, 255, 256])
    func encodedBytesAreDecodedAgain(count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37) }
        #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
    }

    @Test func encodedTextHasNoPadding() { #expect(Base64URL.encode(Array("f".utf8)) == "Zg") }

    @Test func theTwoURLSafeSymbolsAreDecoded() { #expect(Base64URL.decode("A-z_4ME") == [3, 236, 255, 224, 193]) }

    @Test(arguments: ["Z", "Zg==", "Zh", "Zm9", "Zm9v\n", "Zm 9", "A+z/4ME", "Zm9vé", "Zm9vY"])
    func textThatIsNotCanonicalIsRefused(text: String) { #expect(Base64URL.decode(text) == nil) }
}
