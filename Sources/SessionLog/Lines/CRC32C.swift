import CVector

/// Tells bytes that were damaged from those that were written.
enum CRC32C {
    static func of(_ bytes: UnsafeRawBufferPointer) -> UInt32 { cvector_crc32c(bytes.baseAddress, bytes.count) }

    /// As a row has it.
    static func of(_ bytes: ArraySlice<UInt8>) -> Int64 { bytes.withUnsafeBytes { Int64(of($0) as UInt32) } }
}
