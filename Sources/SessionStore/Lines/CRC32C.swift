import CVector

/// The checksum that detects damaged bytes.
package enum CRC32C {
    package static func of(_ bytes: UnsafeRawBufferPointer) -> UInt32 { cvector_crc32c(bytes.baseAddress, bytes.count) }

    /// The checksum in the form in which a row stores it.
    static func of(_ bytes: ArraySlice<UInt8>) -> Int64 { bytes.withUnsafeBytes { Int64(of($0) as UInt32) } }
}
