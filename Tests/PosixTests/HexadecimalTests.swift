import Testing

@testable import Posix

@Suite struct HexadecimalTests {
    @Test func hexadecimalRoundTrips() {
        let all = (0...255).map { UInt8($0) }
        #expect(Hexadecimal.bytes(Hexadecimal.text(of: all)) == all)
        #expect(Hexadecimal.bytes("0aFf") == [0x0a, 0xff])
        for wrong in ["a", "0g", " 0", "é"] { #expect(Hexadecimal.bytes(wrong) == nil) }
    }
}
