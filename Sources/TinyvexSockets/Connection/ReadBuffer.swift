/// Owns a block of memory to read into.
struct ReadBuffer: ~Copyable {
    let bytes: UnsafeMutableRawBufferPointer

    init(byteCount: Int) { bytes = .allocate(byteCount: byteCount, alignment: 64) }

    deinit { bytes.deallocate() }
}
