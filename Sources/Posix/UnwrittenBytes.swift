/// Bytes that a descriptor has not taken yet, in their order. The owner limits them.
package struct UnwrittenBytes {
    private var bytes: [UInt8]
    /// The bytes before it are written. They are removed when they are more than the rest: to move the rest after each write
    /// would take minutes for a line of 64 MiB.
    private var start = 0

    package init(_ bytes: [UInt8] = []) { self.bytes = bytes }

    package var count: Int { bytes.count - start }
    package var isEmpty: Bool { bytes.isEmpty }
    /// A copy of the bytes.
    package var array: [UInt8] { Array(bytes[start...]) }

    package mutating func append(contentsOf more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

    /// - Parameter count: at most ``count``.
    package mutating func removeFirst(_ count: Int) {
        start += count
        if start == bytes.count {
            removeAll()
        } else if start > self.count {
            (bytes, start) = (array, 0)
        }
    }

    /// Frees the memory, too.
    package mutating func removeAll() { (bytes, start) = ([], 0) }

    package func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[start...])) }
    }
}
