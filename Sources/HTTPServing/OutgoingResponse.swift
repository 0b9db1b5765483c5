import EventLoop

/// A response that is being sent, or a part of it: the bytes that the socket has not accepted yet.
struct OutgoingResponse {
    private let bytes: [UInt8]
    private(set) var sentBytes = 0
    /// The number of bytes of earlier parts.
    private let earlierBytes: Int

    /// The number of bytes sent, with those of earlier parts.
    var totalSentBytes: Int { earlierBytes + sentBytes }

    enum Progress {
        case finished
        /// The socket is full, or TLS waits for its peer.
        case blocked
        case failed
    }

    init(_ bytes: [UInt8], after earlierBytes: Int = 0) {
        self.bytes = bytes
        self.earlierBytes = earlierBytes
    }

    /// Writes as many bytes as the stream accepts. Both closures return nil if the stream is closed.
    ///
    /// - Parameters:
    ///   - write: See ``ByteStream/write(_:)``.
    ///   - flush: See ``ByteStream/flush()``.
    mutating func write(
        _ write: (UnsafeRawBufferPointer) -> WriteOutcome?, flush: () -> WriteOutcome?
    ) -> Progress {
        while sentBytes < bytes.count {
            let outcome = bytes.withUnsafeBytes { write(UnsafeRawBufferPointer(rebasing: $0[sentBytes...])) }
            guard case .wrote(let count) = outcome else { return outcome == .wouldBlock ? .blocked : .failed }
            sentBytes += count
        }
        switch flush() {
        case .wrote: return .finished
        case .wouldBlock: return .blocked
        case .failed, nil: return .failed
        }
    }
}
