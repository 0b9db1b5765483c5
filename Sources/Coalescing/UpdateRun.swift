import JSONScan

/// Consecutive updates that a policy treats as one unit.
package struct UpdateRun: Equatable, Sendable {
    package private(set) var first: Int64
    package internal(set) var last: Int64
    /// Nil for updates that no policy leaves out, of any kind.
    package let key: RunKey?
    package internal(set) var byteCount: Int

    /// The part of the run up to this number, which is not before its first update.
    package func part(through number: Int64) -> UpdateRun {
        var part = self
        part.last = min(last, max(first, number))
        return part
    }

    package init(first: Int64, last: Int64, key: RunKey?, byteCount: Int) {
        self.first = first
        self.last = last
        self.key = key
        self.byteCount = byteCount
    }

    package var count: Int64 { last - first + 1 }

    /// The part of the run that begins at `number`, which must be in it. `byteCount` remains the size of the whole run.
    package func from(_ number: Int64) -> UpdateRun {
        var rest = self
        rest.first = max(first, number)
        return rest
    }
}

/// Splits updates, in order, into runs.
package struct RunScan: Sendable {
    /// The purpose of the scan: only text can be merged, but other content can be left out too.
    package enum Purpose: Sendable { case leavingOut, merging }

    /// 1 MiB. A longer update is never left out or merged, because examining 1 MiB takes a millisecond.
    package static let updateLimitBytes = 1 << 20
    /// The maximum size of a run for merging. It bounds the size of a merged chunk in bytes.
    package static let mergedRunLimitBytes = 64 << 10

    private let purpose: Purpose
    package private(set) var runs: [UpdateRun] = []
    private var next: Int64

    /// - Parameter first: The number of the first update that is added.
    package init(_ purpose: Purpose, first: Int64) {
        self.purpose = purpose
        next = first
    }

    /// - Parameter line: A valid update, as the agent wrote it.
    package mutating func add(_ line: Span<UInt8>) {
        if !joins(line) { begin(key(of: line)) }
        extend(byteCount: line.count)
    }

    /// Adds a line that is not an update, which ends a run.
    package mutating func addOther(byteCount: Int) {
        if runs.last.map({ $0.key != nil }) ?? true { begin(nil) }
        extend(byteCount: byteCount)
    }

    private mutating func begin(_ key: RunKey?) {
        runs.append(UpdateRun(first: next, last: next, key: key, byteCount: 0))
    }

    private mutating func extend(byteCount: Int) {
        runs[runs.count - 1].last = next
        runs[runs.count - 1].byteCount += byteCount
        next += 1
    }
}

extension RunScan {
    /// The parts of a chunk that decide which run it belongs to.
    private struct Facts {
        let kind: ChunkKind
        let id: Range<Int>?
        let sessionId: Range<Int>?
    }

    /// Whether the update continues the previous run. The common case allocates no memory.
    private func joins(_ line: Span<UInt8>) -> Bool {
        guard let run = runs.last else { return false }
        guard let facts = facts(of: line) else { return run.key == nil }
        guard let key = run.key, key.kind == facts.kind else { return false }
        if purpose == .merging, run.byteCount + line.count > Self.mergedRunLimitBytes { return false }
        return line.isEqual(to: key.id, at: facts.id) && line.isEqual(to: key.sessionId, at: facts.sessionId)
    }

    private func key(of line: Span<UInt8>) -> RunKey? {
        guard let facts = facts(of: line) else { return nil }
        return RunKey(
            kind: facts.kind, id: facts.id.map { line.bytes(in: $0) } ?? [],
            sessionId: facts.sessionId.map { line.bytes(in: $0) } ?? [])
    }

    private func facts(of line: Span<UInt8>) -> Facts? {
        guard line.count <= Self.updateLimitBytes, let envelope = try? scanEnvelope(line),
            let kind = envelope.updateKind.flatMap({ ChunkKind(at: $0, in: line) })
        else { return nil }
        if purpose == .merging {
            guard let update = envelope.update, let chunk = TextChunk(of: kind, in: line, updateAt: update),
                chunk.isPlain(in: line, updateAt: update)
            else { return nil }
        }
        let id = kind.idPlace(in: line, envelope)
        guard id.range != nil || kind.mayLackId else { return nil }
        return Facts(kind: kind, id: id.range, sessionId: envelope.sessionId)
    }
}

extension Span<UInt8> {
    /// Whether the bytes in the range are these. A nil range has no bytes.
    fileprivate func isEqual(to bytes: [UInt8], at range: Range<Int>?) -> Bool {
        range.map { extracting($0).isEqual(to: bytes) } ?? bytes.isEmpty
    }
}
