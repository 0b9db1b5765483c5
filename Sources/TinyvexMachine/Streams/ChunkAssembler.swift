/// Reassembles values that arrive in parts (`tinyvex/transitionChunk`).
///
/// The parts of one value arrive in order. Parts of different subscriptions can be interleaved.
struct ChunkAssembler {
    enum Outcome: Equatable {
        case incomplete
        case complete(StreamValue)
        case tooLarge
        /// A part is missing, or the part's counts are inconsistent.
        case broken
    }

    private struct Assembly {
        let transitionId: String
        let seq: Int64
        let total: Int64
        var last: Int64
        var count: Int64 = 0
        var text: [UInt8] = []
    }

    let limitBytes: Int
    private var byteCount = 0
    private var assemblies: [String: Assembly] = [:]

    init(limitBytes: Int) { self.limitBytes = limitBytes }

    /// Parts are counted from 0 or 1. A new `transitionId` replaces an incomplete value.
    mutating func add(_ part: ValuePart) -> Outcome {
        var assembly = assemblies[part.subId]
        if assembly?.transitionId != part.transitionId {
            forget(part.subId)
            guard (0...1).contains(part.part), part.total > 0 else { return .broken }
            assembly = Assembly(
                transitionId: part.transitionId, seq: part.seq, total: part.total, last: part.part - 1)
        }
        guard var assembly, assembly.total == part.total, assembly.last + 1 == part.part else {
            forget(part.subId)
            return .broken
        }
        guard byteCount + part.text.utf8.count <= limitBytes else {
            forget(part.subId)
            return .tooLarge
        }
        assemblies[part.subId] = nil
        byteCount += part.text.utf8.count
        assembly.text.append(contentsOf: part.text.utf8)
        assembly.last = part.part
        assembly.count += 1
        return finish(assembly, part.subId)
    }

    /// Drops the parts of a subscription that has ended.
    mutating func forget(_ subId: String) {
        if let assembly = assemblies.removeValue(forKey: subId) { byteCount -= assembly.text.count }
    }

    private mutating func finish(_ assembly: Assembly, _ subId: String) -> Outcome {
        guard assembly.count == assembly.total else {
            assemblies[subId] = assembly
            return .incomplete
        }
        byteCount -= assembly.text.count
        return .complete(StreamValue(seq: assembly.seq, text: assembly.text))
    }
}
