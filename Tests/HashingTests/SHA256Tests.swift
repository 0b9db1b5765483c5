import Testing

@testable import Hashing

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
        #expect(hexadecimal(SHA256.digest(of: Array(message.utf8))) == digest)
    }

    @Test func partsOfAMessageHaveTheHashOfTheWhole() {
        let message = (0..<300).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let whole = SHA256.digest(of: message)
        for size in [1, 63, 64, 65, 128, 299] {
            var hash = SHA256()
            for start in stride(from: 0, to: message.count, by: size) {
                hash.add(message[start..<min(start + size, message.count)])
            }
            #expect(hash.digest() == whole, "in parts of \(size) bytes")
        }
    }

    private func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
