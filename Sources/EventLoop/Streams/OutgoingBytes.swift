import CShims
import Glibc
import Posix

/// Memory for bytes that are written once and then sent to one or many sockets.
package struct OutgoingBuffer: ~Copyable {
    package let bytes: UnsafeMutableRawBufferPointer
    /// Nil if the memory is on the heap.
    private let file: MemoryFile?

    /// A file costs as much as about 30 copies. From this number on, the gain is clear.
    private static let leastReceivers = 48

    /// - Parameter receiverCount: How many sockets will probably get all of the bytes. For many, the memory is a file.
    package init(byteCount: Int, receiverCount: Int) {
        let isShared = receiverCount >= Self.leastReceivers && byteCount >= OutgoingBytes.leastReferredBytes
        let file = isShared ? MemoryFile(byteCount: byteCount) : nil
        switch file {
        case .some(let file): bytes = file.bytes
        case nil: bytes = .allocate(byteCount: max(1, byteCount), alignment: 16)
        }
        self.file = file
    }

    deinit {
        if file == nil { bytes.deallocate() }
    }

    /// Do not change these bytes from now on.
    package func outgoing(_ range: Range<Int>) -> OutgoingBytes {
        let part = UnsafeRawBufferPointer(rebasing: bytes[range])
        switch file {
        case .some(let file): return OutgoingBytes(part, file: (file.fd, range.lowerBound))
        case nil: return OutgoingBytes(part)
        }
    }
}

/// Bytes to be written.
package struct OutgoingBytes {
    package let bytes: UnsafeRawBufferPointer
    /// The descriptor of a ``MemoryFile`` that has the bytes, and their offset in it.
    private let file: (fd: Int32, offset: Int)?

    /// 32 KiB. Below that, a copy takes no longer than the references to the pages.
    static let leastReferredBytes = 32 << 10

    package init(_ bytes: UnsafeRawBufferPointer) { self.init(bytes, file: nil) }

    fileprivate init(_ bytes: UnsafeRawBufferPointer, file: (fd: Int32, offset: Int)?) {
        self.bytes = bytes
        self.file = file
    }

    package var count: Int { bytes.count }

    /// True if a socket takes references to the bytes instead of a copy.
    package var isSentByReference: Bool { file != nil && count >= Self.leastReferredBytes }

    package func dropFirst(_ count: Int) -> OutgoingBytes {
        OutgoingBytes(
            UnsafeRawBufferPointer(rebasing: bytes.dropFirst(count)), file: file.map { ($0.fd, $0.offset + count) })
    }

    /// Sends bytes to a non-blocking socket by reference. Returns as write(2) does, and nil if they must be copied.
    func sendByReference(to socket: Int32) -> Int? {
        guard let file, isSentByReference else { return nil }
        let sent = cshims_send_file(socket, file.fd, off_t(file.offset), count)
        // After any other error, the caller sends a copy and reports that error.
        return sent > 0 || (sent < 0 && (errno == EAGAIN || errno == EINTR)) ? sent : nil
    }
}
