import CVector

extension Span<UInt8> {
    /// The index of the first `wanted` at or after `start`. Searches 64 bytes at a time.
    ///
    /// The loads are bounds-checked. They are named "unsafe" because they reinterpret bytes.
    func firstIndex(of wanted: UInt8, from start: Int) -> Int? {
        var at = start
        while count &- at >= 64 {
            let found = matches(wanted, at) | matches(wanted, at &+ 16) &<< 16
            let foundBehind = matches(wanted, at &+ 32) | matches(wanted, at &+ 48) &<< 16
            let mask = found | foundBehind &<< 32
            if mask != 0 { return at &+ mask.trailingZeroBitCount }
            at &+= 64
        }
        while count &- at >= 16 {
            let mask = matches(wanted, at)
            if mask != 0 { return at &+ mask.trailingZeroBitCount }
            at &+= 16
        }
        while at < count {
            if self[at] == wanted { return at }
            at &+= 1
        }
        return nil
    }

    /// One bit for each of the sixteen bytes that start at `offset`.
    @inline(__always)
    private func matches(_ wanted: UInt8, _ offset: Int) -> UInt64 {
        let vector = bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: SIMD16<UInt8>.self)
        return UInt64(truncatingIfNeeded: cvector_equals(vector, wanted))
    }
}
