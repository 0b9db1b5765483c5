/// One file of the page.
package struct PageFile: Sendable, Equatable {
    /// The value of `Content-Type`.
    package let contentType: String
    package let bytes: [UInt8]
    /// The bytes compressed with gzip; nil if that saves nothing.
    package let gzip: [UInt8]?
    /// The value of `ETag`, in quotation marks. It changes with the bytes.
    package let etag: String

    init(contentType: String, bytes: [UInt8]) {
        self.contentType = contentType
        self.bytes = bytes
        let compressed = Gzip.compressed(bytes)
        gzip = compressed.flatMap { $0.count < bytes.count * 9 / 10 ? $0 : nil }
        etag = "\"\(String(Self.fnv1a(bytes), radix: 16))-\(bytes.count)\""
    }

    /// The FNV-1a hash of 64 bits. An `ETag` distinguishes versions; it does not protect against forgery.
    private static func fnv1a(_ bytes: [UInt8]) -> UInt64 {
        bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
