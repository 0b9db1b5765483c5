import CVector

/// CRC-32C in the form in which a row stores it.
enum Checksum {
    static func of(_ bytes: [UInt8]) -> Int64 {
        bytes.withUnsafeBytes { Int64(cvector_crc32c($0.baseAddress, $0.count)) }
    }
}
