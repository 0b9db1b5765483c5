/// The 64-bit FNV-1a hash of bytes. It distinguishes texts that are not chosen to collide; it does not protect against
/// forgery. Source: draft-eastlake-fnv, section 2.
///
/// Inlinable, because it runs for each byte of a terminal's output.
package struct FNV1a: Sendable, Equatable {
    /// The hash of the bytes so far.
    package var value: UInt64 = 0xcbf2_9ce4_8422_2325

    @inlinable package init() {}

    @inlinable package static func hash(of bytes: some Sequence<UInt8>) -> UInt64 {
        var hash = FNV1a()
        for byte in bytes { hash.add(byte) }
        return hash.value
    }

    @inlinable package mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
}
