import Hashing
import Testing

@Suite struct FNV1aTests {
    /// Source: draft-eastlake-fnv, the test vectors of section 6.
    @Test(
        arguments: [
            ("", 0xcbf2_9ce4_8422_2325), ("a", 0xaf63_dc4c_8601_ec8c), ("foobar", 0x8594_4171_f739_67e8),
        ] as [(String, UInt64)])
    func aTextHasThisHash(text: String, hash: UInt64) { #expect(FNV1a.hash(of: text.utf8) == hash) }

    @Test func bytesCanBeAddedOneByOne() {
        var hash = FNV1a()
        for byte in "foobar".utf8 { hash.add(byte) }
        #expect(hash.value == FNV1a.hash(of: "foobar".utf8))
    }
}
