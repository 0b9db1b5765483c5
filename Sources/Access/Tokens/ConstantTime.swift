/// Comparison of secrets.
enum ConstantTime {
    /// Compares in constant time: texts that differ in the first byte take as long as equal texts. The length is not
    /// secret.
    static func areEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool {
        guard a.count == b.count else { return false }
        var difference: UInt8 = 0
        for (left, right) in zip(a, b) { difference |= left ^ right }
        return difference == 0
    }
}
