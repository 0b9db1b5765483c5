/// SHA-256 of bytes that arrive in parts. Source: FIPS 180-4, section 6.2.
///
/// The bridge stores this hash of a token instead of the token's text, and names a file's contents by it.
package struct SHA256: Sendable {
    package static let digestBytes = 32

    private var state: [UInt32] = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]
    /// The words of one block, kept so that no block allocates memory.
    private var words = [UInt32](repeating: 0, count: 64)
    /// Bytes after the last complete block; fewer than 64 between two calls.
    private var rest: [UInt8] = []
    private var byteCount: UInt64 = 0

    package init() {}

    package static func digest(of message: some Collection<UInt8>) -> [UInt8] {
        var hash = SHA256()
        hash.add(message)
        return hash.digest()
    }

    /// Adds the next bytes of the message.
    package mutating func add(_ bytes: some Collection<UInt8>) {
        byteCount += UInt64(bytes.count)
        rest += bytes
        compressRest()
    }

    /// The hash of all bytes that were added. Call it once, last.
    package consuming func digest() -> [UInt8] {
        let bitCount = byteCount &* 8
        rest.append(0x80)
        while rest.count % 64 != 56 { rest.append(0) }
        rest += Self.bigEndianBytes(UInt32(truncatingIfNeeded: bitCount >> 32))
        rest += Self.bigEndianBytes(UInt32(truncatingIfNeeded: bitCount))
        compressRest()
        return state.flatMap { Self.bigEndianBytes($0) }
    }

    private mutating func compressRest() {
        let blockBytes = rest.count / 64 * 64
        for start in stride(from: 0, to: blockBytes, by: 64) {
            schedule(from: start)
            compress()
        }
        rest.removeFirst(blockBytes)
    }

    private mutating func schedule(from start: Int) {
        for index in 0..<16 {
            var word: UInt32 = 0
            for byte in rest[start + 4 * index..<start + 4 * index + 4] { word = word << 8 | UInt32(byte) }
            words[index] = word
        }
        for index in 16..<64 {
            let (near, far) = (words[index - 2], words[index - 15])
            let small = Self.rotate(far, 7) ^ Self.rotate(far, 18) ^ far >> 3
            let large = Self.rotate(near, 17) ^ Self.rotate(near, 19) ^ near >> 10
            words[index] = words[index - 16] &+ small &+ words[index - 7] &+ large
        }
    }

    private mutating func compress() {
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for round in 0..<64 {
            let choice = (e & f) ^ (~e & g)
            let first =
                h &+ (Self.rotate(e, 6) ^ Self.rotate(e, 11) ^ Self.rotate(e, 25)) &+ choice &+ Self.constants[round]
                &+ words[round]
            let majority = (a & b) ^ (a & c) ^ (b & c)
            let second = (Self.rotate(a, 2) ^ Self.rotate(a, 13) ^ Self.rotate(a, 22)) &+ majority
            (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
        }
        for (index, value) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= value }
    }

    private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }

    private static func bigEndianBytes(_ word: UInt32) -> [UInt8] {
        stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
    }

    /// Source: FIPS 180-4, section 4.2.2.
    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]
}
