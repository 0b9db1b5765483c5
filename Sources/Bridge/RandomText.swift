import CShims

/// Text that nobody can guess.
enum RandomText {
    /// Two lower-case hexadecimal digits a byte; nil when the system has no randomness to give.
    static func hexadecimal(byteCount: Int) -> String? {
        var bytes = [UInt8](repeating: 0, count: byteCount)
        guard cshims_random(&bytes, bytes.count) == 0 else { return nil }
        return Hexadecimal.text(of: bytes)
    }
}
