import CShims
import Glibc
import Synchronization

/// Memory that is also a file, so that the kernel can send it to many sockets by reference to its pages (sendfile(2)). A copy
/// for each socket is most of the time of a large send.
///
/// Do not change bytes that were sent: sockets refer to them until the peers have read them, even after this value is gone.
package struct MemoryFile: ~Copyable {
    /// Each file is a descriptor, so there are at most 256, and a sixteenth of the descriptors that the process can have. If
    /// there are more, callers use the heap.
    private static let countLimit: Int = {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
        return min(256, Int(clamping: limit.rlim_cur / 16))
    }()
    private static let count = Atomic(0)

    /// At first zeros.
    package let bytes: UnsafeMutableRawBufferPointer
    private let descriptor: Descriptor

    /// Nil if there are too many files, or if the system refuses.
    package init?(byteCount: Int) {
        guard byteCount > 0, Self.count.load(ordering: .relaxed) < Self.countLimit else { return nil }
        let fd = cshims_memory_file("frames")
        guard fd >= 0 else { return nil }
        let descriptor = Descriptor(owning: fd)
        // The pages are allocated here. Otherwise a lack of memory would raise SIGBUS at the first write.
        guard posix_fallocate(fd, 0, off_t(byteCount)) == 0,
            let start = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED | Int32(MAP_POPULATE), fd, 0),
            start != MAP_FAILED
        else { return nil }
        bytes = UnsafeMutableRawBufferPointer(start: start, count: byteCount)
        self.descriptor = descriptor
        Self.count.add(1, ordering: .relaxed)
    }

    deinit {
        munmap(bytes.baseAddress, bytes.count)
        Self.count.subtract(1, ordering: .relaxed)
    }

    package var fd: Int32 { descriptor.raw }
}
