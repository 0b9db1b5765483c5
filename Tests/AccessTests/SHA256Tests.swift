import Testing

@testable import Access
@testable import Posix

@Suite struct SHA256Tests {
    /// Source: NIST's example values for FIPS 180-4, and its SHA256ShortMsg.rsp.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (String(repeating: "a", count: 1000), "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3"),
    ])
    func digestsMatchTheStandardsTestVectors(message: String, digest: String) {
        #expect(Hexadecimal.text(of: SHA256.digest(of: Array(message.utf8))) == digest)
    }

    @Test func hexadecimalRoundTrips() {
        let all = (0...255).map { UInt8($0) }
        #expect(Hexadecimal.bytes(Hexadecimal.text(of: all)) == all)
        #expect(Hexadecimal.bytes("0aFf") == [0x0a, 0xff])
        for wrong in ["a", "0g", " 0", "é"] { #expect(Hexadecimal.bytes(wrong) == nil) }
    }
}
