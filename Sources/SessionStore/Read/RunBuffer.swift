import MemoryChecks
import SQLite

/// The lines of the run outside of the tables that was read last. For one thread.
final class RunBuffer {
    private let lines: LinesFile
    private var bytes = UnsafeMutableRawBufferPointer(start: nil, count: 0)

    /// A buffer of up to 1 MiB is kept for the next run. Only a run of a single line is longer.
    private static let keptBytes = 1 << 20

    // Swift 6.3 frees an object as if it were on the heap when it has put it on the stack, in a function that ends its life itself. In
    // a function that cannot see where the object is made, it stays on the heap. `Sources/build.sh` looks for such calls.
    @inline(never) init(_ lines: LinesFile) { self.lines = lines }

    deinit { bytes.deallocate() }

    /// Returns the bytes at a place. They are valid until the next call.
    func read(size: Int64, from place: Int64) throws(SQLiteError) -> UnsafeRawBufferPointer {
        try lines.checkPlace(place, size: size)
        let part = try room(for: Int(size))
        try lines.read(into: part, from: place)
        return UnsafeRawBufferPointer(part)
    }

    /// Frees a buffer that is too large to be kept.
    func trim() {
        if bytes.count > Self.keptBytes { resize(to: 0) }
    }

    private func room(for size: Int) throws(SQLiteError) -> UnsafeMutableRawBufferPointer {
        if size > bytes.count {
            try Self.checkMemory(for: size, copies: 3)
            resize(to: size)
        }
        return UnsafeMutableRawBufferPointer(rebasing: bytes[..<size])
    }

    private func resize(to size: Int) {
        bytes.deallocate()
        bytes = .allocate(byteCount: size, alignment: 16)
    }

    /// Checks for enough memory, because a line can be as long as 64 MiB. An answer copies the bytes, and that copy is
    /// copied again into frames or JSON. Neither copy can report a failure.
    static func checkMemory(for byteCount: Int, copies: Int) throws(SQLiteError) {
        guard byteCount > SpareMemory.leastBytes, !SpareMemory.canAllocate(copies * byteCount) else { return }
        throw SQLiteError.outOfMemory
    }
}
