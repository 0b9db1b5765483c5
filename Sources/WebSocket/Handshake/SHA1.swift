/// SHA-1 for the handshake of RFC 6455 only. There it proves that a server supports WebSocket; it protects nothing.
/// SHA-1 is broken as a security measure, so do not use it as one. Source: FIPS 180-4, section 6.1.
enum SHA1 {
    static func digest(of message: [UInt8]) -> [UInt8] {
        var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
        let padded = padded(message)
        for blockStart in stride(from: 0, to: padded.count, by: 64) {
            compress(padded[blockStart..<blockStart + 64], into: &state)
        }
        return state.flatMap { bigEndianBytes($0) }
    }

    private static func padded(_ message: [UInt8]) -> [UInt8] {
        var padded = message
        padded.append(0x80)
        while padded.count % 64 != 56 { padded.append(0) }
        let bitCount = UInt64(message.count) * 8
        padded += bigEndianBytes(UInt32(truncatingIfNeeded: bitCount >> 32))
        padded += bigEndianBytes(UInt32(truncatingIfNeeded: bitCount))
        return padded
    }

    private static func compress(_ block: ArraySlice<UInt8>, into state: inout [UInt32]) {
        let words = schedule(block)
        var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
        for round in 0..<80 {
            let (mix, constant) = roundFunction(round, b, c, d)
            let next = rotate(a, by: 5) &+ mix &+ e &+ constant &+ words[round]
            (a, b, c, d, e) = (next, a, rotate(b, by: 30), c, d)
        }
        for (index, value) in [a, b, c, d, e].enumerated() { state[index] &+= value }
    }

    private static func schedule(_ block: ArraySlice<UInt8>) -> [UInt32] {
        var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { start in
            block[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) }
        }
        for index in 16..<80 {
            let mixed = words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16]
            words.append(rotate(mixed, by: 1))
        }
        return words
    }

    private static func roundFunction(_ round: Int, _ b: UInt32, _ c: UInt32, _ d: UInt32) -> (UInt32, UInt32) {
        switch round {
        case 0..<20: ((b & c) | (~b & d), 0x5A82_7999)
        case 20..<40: (b ^ c ^ d, 0x6ED9_EBA1)
        case 40..<60: ((b & c) | (b & d) | (c & d), 0x8F1B_BCDC)
        default: (b ^ c ^ d, 0xCA62_C1D6)
        }
    }

    private static func rotate(_ word: UInt32, by count: UInt32) -> UInt32 {
        word << count | word >> (32 - count)
    }

    private static func bigEndianBytes(_ word: UInt32) -> [UInt8] {
        stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
    }
}
