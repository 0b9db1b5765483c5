#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The body of an upload.
public enum UploadBody: Sendable, Hashable {
    case bytes([UInt8])
    /// A regular file with this number of bytes. It is read while it is sent.
    case file(URL, byteCount: Int)

    public var byteCount: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .file(_, let byteCount): byteCount
        }
    }
}

/// The part of an upload that was sent.
public struct UploadProgress: Sendable, Hashable {
    /// Bytes that were passed to the network, 0 to ``totalBytes``. The bridge has not necessarily received them.
    public var sentBytes: Int
    public var totalBytes: Int

    public init(sentBytes: Int, totalBytes: Int) {
        self.sentBytes = min(max(0, sentBytes), totalBytes)
        self.totalBytes = totalBytes
    }

    /// 0 to 1; 1 for an empty file.
    public var fraction: Double { totalBytes == 0 ? 1 : Double(sentBytes) / Double(totalBytes) }
}
