import Testing
import WebSocket

@Suite struct MaskTests {
    let keyBytes: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]
    let key: UInt32 = 0x3D21_FA37

    func masked(_ bytes: [UInt8], phase: Int = 0) -> [UInt8] {
        var bytes = bytes
        bytes.withUnsafeMutableBytes { Mask.apply(key: key, to: $0, phase: phase) }
        return bytes
    }

    @Test func theExampleOfTheStandardIsMasked() {
        #expect(masked(Array("Hello".utf8)) == [0x7F, 0x9F, 0x4D, 0x51, 0x58])
    }

    @Test func everyLengthAndPhaseMatchesTheDefinition() {
        for count in 0..<40 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7) }
            for phase in 0..<9 {
                let expected = bytes.enumerated().map { $1 ^ keyBytes[($0 + phase) % 4] }
                #expect(masked(bytes, phase: phase) == expected)
                #expect(masked(masked(bytes, phase: phase), phase: phase) == bytes)
            }
        }
    }

    @Test func maskingInPiecesEqualsMaskingAtOnce() {
        let bytes = (0..<30).map { UInt8($0) }
        for cut in 0...bytes.count {
            let pieces = masked(Array(bytes[..<cut])) + masked(Array(bytes[cut...]), phase: cut)
            #expect(pieces == masked(bytes))
        }
    }
}
