import CZlib

/// Compression with gzip. Source: RFC 1952.
enum Gzip {
    /// Returns the bytes compressed at zlib's best level, or nil if zlib fails, which it does only without memory.
    static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
        // On the heap, because zlib's internal state points back to it.
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        defer { stream.deallocate() }
        let size = Int32(MemoryLayout<z_stream>.size)
        guard
            deflateInit2_(
                stream, Z_BEST_COMPRESSION, Z_DEFLATED, gzipWindowBits, memoryLevel, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
                size) == Z_OK
        else { return nil }
        defer { deflateEnd(stream) }
        var input = bytes
        let capacity = Int(deflateBound(stream, UInt(input.count)))
        let output = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            input.withUnsafeMutableBufferPointer { source in
                stream.pointee.next_in = source.baseAddress
                stream.pointee.avail_in = UInt32(source.count)
                stream.pointee.next_out = buffer.baseAddress
                stream.pointee.avail_out = UInt32(capacity)
                if deflate(stream, Z_FINISH) == Z_STREAM_END { count = Int(stream.pointee.total_out) }
            }
        }
        return output.isEmpty ? nil : output
    }

    /// 32 KiB of window, and 16 for the header of gzip instead of zlib's.
    private static let gzipWindowBits: Int32 = 15 + 16
    /// The most memory, because a file is compressed only once.
    private static let memoryLevel: Int32 = 9
}
