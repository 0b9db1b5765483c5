import MemoryChecks

/// The memory of a message that grows.
extension [UInt8] {
    /// Reserves memory for `count` more bytes of a message. A message for which there is not enough memory is refused as too
    /// big, because an array that cannot grow ends the process.
    mutating func makeRoom(for count: Int) throws(ProtocolViolation) {
        let needed = self.count + count
        guard needed > capacity, needed > SpareMemory.leastBytes else { return }
        // Twice for the message, and once for a copy of it.
        guard SpareMemory.canAllocate(3 * needed) else { throw .messageTooBig(limitBytes: self.count) }
        reserveCapacity(2 * needed)
    }
}
