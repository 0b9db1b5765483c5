/// A size such as `1048576`, `64KiB`, `1MiB` or `2GiB`, or with decimal units `64kB`, `1MB` or `2GB`.
package struct ByteSize {
    package let bytes: Int

    private static let bytesPerUnit = [
        "": 1, "B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40,
        "kB": 1000, "KB": 1000, "MB": 1_000_000, "GB": 1_000_000_000, "TB": 1_000_000_000_000,
    ]

    /// Returns nil if the text is not a size, or if the size does not fit an Int.
    package init?(_ text: String) {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int(digits: digits), let unit = Self.bytesPerUnit[String(text.dropFirst(digits.count))]
        else {
            return nil
        }
        let (bytes, overflow) = number.multipliedReportingOverflow(by: unit)
        guard !overflow else { return nil }
        self.bytes = bytes
    }
}
