extension FixedWidthInteger {
    /// Parses plain ASCII digits: no sign, no space, at least one digit. Returns nil if the number does not fit.
    @inlinable package init?(digits: some StringProtocol) {
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        self.init(digits, radix: 10)
    }
}
