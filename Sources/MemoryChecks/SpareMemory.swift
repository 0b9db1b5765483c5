import CVector

/// Whether memory for a long line can be had.
///
/// A Swift array that cannot grow ends the process, and a limit of addresses (setrlimit(2), RLIMIT_AS) or a system that
/// does not overcommit refuses what a line of 64 MiB needs. So each place that gathers or copies a long line asks first.
/// Nothing is reserved: another thread can take the memory before it is used, which ``marginBytes`` makes unlikely.
package enum SpareMemory {
    /// 1 MiB. Less is not asked for.
    package static let leastBytes = 1 << 20

    /// 16 MiB: what the other threads may take meanwhile.
    static let marginBytes = 16 << 20

    /// Takes some microseconds.
    package static func canAllocate(_ byteCount: Int) -> Bool {
        byteCount <= leastBytes || cvector_can_allocate(byteCount + marginBytes) != 0
    }
}
