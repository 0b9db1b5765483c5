/// A string of at most 15 bytes as one integer: its bytes, lowest first, and its length in the highest byte.
///
/// Comparing a member's name with the few relevant names then takes one load and a handful of integer comparisons.
struct PackedName: Equatable {
    static let maxBytes = 15

    private let bits: UInt128

    /// The packed form of all longer strings. No string of up to 15 bytes packs to it.
    static var tooLong: PackedName { PackedName(bits: .max) }

    @inline(__always)
    private init(bits: UInt128) {
        self.bits = bits
    }

    /// The packed name of a literal. The optimiser reduces it to a constant.
    @inline(__always)
    init(_ name: StaticString) {
        var bits = UInt128(UInt8(truncatingIfNeeded: name.utf8CodeUnitCount)) &<< 120
        for index in 0..<name.utf8CodeUnitCount {
            // The pointer of a `StaticString` literal is valid for its whole length and never expires.
            bits |= UInt128(name.utf8Start[index]) &<< UInt128(truncatingIfNeeded: 8 &* index)
        }
        self.bits = bits
    }

    /// The packed name of a member, with its escapes decoded.
    @inline(__always)
    init(_ name: MemberName, in text: Span<UInt8>) {
        self =
            name.hasEscapes
            ? Self.decoding(name.start..<name.end, in: text)
            : Self.copying(from: name.start, to: name.end, in: text)
    }

    /// Packs the bytes without decoding them.
    @inline(__always)
    static func copying(from start: Int, to end: Int, in text: Span<UInt8>) -> PackedName {
        let length = end &- start
        guard length <= maxBytes else { return .tooLong }
        guard text.count &- start >= 16 else { return copyingBytewise(from: start, to: end, in: text) }
        let bytes = UInt128(littleEndian: text.bytes.unsafeLoadUnaligned(fromByteOffset: start, as: UInt128.self))
        let mask = (1 as UInt128) &<< UInt128(truncatingIfNeeded: 8 &* length) &- 1
        return PackedName(bits: bytes & mask | UInt128(truncatingIfNeeded: length) &<< 120)
    }

    private static func copyingBytewise(from start: Int, to end: Int, in text: Span<UInt8>) -> PackedName {
        var packing = Packing()
        for index in start..<end { packing.append(text[index]) }
        return packing.name
    }

    /// Packs the decoded contents of a string. It allocates no memory, however long the string is.
    static func decoding(_ contents: Range<Int>, in text: Span<UInt8>) -> PackedName {
        // One decoded byte takes at most six bytes of escape.
        guard contents.count <= 6 * maxBytes else { return .tooLong }
        var packing = Packing()
        StringContents(contents).decode(text, .keepingLoneSurrogates) { packing.append($0) }
        return packing.name
    }

    private struct Packing {
        private var bits: UInt128 = 0
        private var length = 0

        mutating func append(_ byte: UInt8) {
            if length < maxBytes { bits |= UInt128(byte) &<< UInt128(truncatingIfNeeded: 8 &* length) }
            length &+= 1
        }

        var name: PackedName {
            length <= maxBytes ? PackedName(bits: bits | UInt128(truncatingIfNeeded: length) &<< 120) : .tooLong
        }
    }
}
