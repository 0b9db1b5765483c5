import Hashing

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
        // An ETag distinguishes versions; it does not protect against forgery.
        etag = "\"\(String(FNV1a.hash(of: bytes), radix: 16))-\(bytes.count)\""
    }
}
