import JSONScan

/// Consecutive updates that a policy looks at as one.
public struct UpdateRun: Equatable, Sendable {
    public private(set) var first: Int64
    public internal(set) var last: Int64
    /// Nil for updates that no policy leaves out, whatever their kinds.
    public let key: RunKey?
    public internal(set) var byteCount: Int

    public init(first: Int64, last: Int64, key: RunKey?, byteCount: Int) {
        self.first = first
        self.last = last
        self.key = key
        self.byteCount = byteCount
    }

    public var count: Int64 { last - first + 1 }

    /// The part of it from number `number` on, which is in it. Its bytes are still counted as those of the whole.
    public func from(_ number: Int64) -> UpdateRun {
        var rest = self
        rest.first = max(first, number)
        return rest
    }
}

/// Goes through updates in their order and finds the runs they make.
public struct RunScan: Sendable {
    /// For which use: what is merged must be text, what is left out need not.
    public enum Purpose: Sendable { case leavingOut, merging }

    /// An update longer than this is never left out nor merged: 1 MiB, to look into which takes a millisecond.
    public static let updateLimitBytes = 1 << 20
    /// What is merged is gathered from pieces of no more than this, so that a merged chunk can be bounded in bytes.
    public static let mergedRunLimitBytes = 64 << 10

    private let purpose: Purpose
    public private(set) var runs: [UpdateRun] = []
    private var next: Int64

    /// - Parameter first: the number of the update that is shown first.
    public init(_ purpose: Purpose, first: Int64) {
        self.purpose = purpose
        next = first
    }

    /// - Parameter line: an update as the agent wrote it, so a valid one.
    public mutating func add(_ line: Span<UInt8>) {
        if !joins(line) { begin(key(of: line)) }
        extend(byteCount: line.count)
    }

    /// What is no update, and so ends a run.
    public mutating func addOther(byteCount: Int) {
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
    /// Whether the update continues the run before. In the common case this needs no memory.
    private func joins(_ line: Span<UInt8>) -> Bool {
        guard let run = runs.last else { return false }
        guard let facts = facts(of: line) else { return run.key == nil }
        guard let key = run.key, key.kind == facts.kind else { return false }
        if purpose == .merging, run.byteCount + line.count > Self.mergedRunLimitBytes { return false }
        return facts.messageId.map { line.extracting($0).isEqual(to: key.messageId) } ?? key.messageId.isEmpty
    }

    private func key(of line: Span<UInt8>) -> RunKey? {
        guard let facts = facts(of: line) else { return nil }
        guard let messageId = facts.messageId else { return RunKey(kind: facts.kind) }
        return RunKey(kind: facts.kind, messageId: line.bytes(in: messageId))
    }

    private func facts(of line: Span<UInt8>) -> (kind: ChunkKind, messageId: Range<Int>?)? {
        guard line.count <= Self.updateLimitBytes, let envelope = try? scanEnvelope(line),
            let kind = envelope.updateKind.flatMap({ ChunkKind(at: $0, in: line) })
        else { return nil }
        if purpose == .merging {
            guard let update = envelope.update, TextChunk(in: line, updateAt: update) != nil else { return nil }
        }
        return (kind, envelope.messageId)
    }
}
