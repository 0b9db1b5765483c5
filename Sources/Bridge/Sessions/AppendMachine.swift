import SessionLog

/// What waits to be stored for one session, and the one append that is under way. Pure.
///
/// While an append is in flight everything that comes meanwhile is gathered; the next append carries it all. So the
/// log's own pace sets the size of a batch, and order needs no care.
struct AppendMachine {
    enum Action {
        case wait
        case append(after: Int64, [LogItem])
    }

    /// A run's bytes at most, so that one session's backlog is stored, framed and sent in pieces others can get
    /// between, and which stay in the processor's cache while they are sent to many. A single longer line makes a
    /// longer run.
    static let runLimitBytes = 128 << 10
    /// Bytes of one append at most, for the same reason.
    static let appendLimitBytes = 2 << 20
    /// While other sessions have something stored too: a transaction of the log's, which they wait for.
    static let sharedAppendLimitBytes = 128 << 10

    private struct Waiting {
        let item: LogItem
        /// Lines of a history that the agent repeats.
        var isReplay = false
    }

    private var waiting: [Waiting] = []
    /// The run that the next line joins; it stands after all that waits.
    private var openRun = OpenRun()
    private var inFlight: [LogItem]? {
        didSet { linesInFlight = inFlight?.reduce(0) { $0 + $1.lineCount } ?? 0 }
    }
    /// Asked for each line that waits for a number.
    private var linesInFlight = 0
    private(set) var head: Int64?
    /// Bytes that are not stored yet.
    private(set) var unstoredBytes = 0
    /// All that was ever added.
    private(set) var addedBytes = 0

    /// Of what was ever added, how much is stored or was given up.
    var settledBytes: Int { addedBytes - unstoredBytes }

    /// The same of lines alone.
    private(set) var addedLines = 0
    private(set) var settledLines = 0

    /// The number that a line has if the append in flight is stored; the line is named by how many were added up to it.
    /// Nil for those that are not in it. Asked before `stored`, as numbers are given by it.
    func numberInFlight(ofLine count: Int) -> Int64? {
        guard let head, let headIfStored, count - settledLines <= Int(headIfStored - head) else { return nil }
        return head + Int64(count - settledLines)
    }

    /// There are lines that are not stored yet.
    var holdsLines: Bool {
        openRun.count > 0 || waiting.contains { $0.item.lineCount > 0 }
            || inFlight?.contains { $0.lineCount > 0 } == true
    }

    /// Where the log stood when the session was claimed. Nothing is appended before that is known.
    mutating func claimed(head: Int64) { self.head = head }

    mutating func add(line: Span<UInt8>, at time: Int64, isReplay: Bool = false) {
        line.withUnsafeBytes { add(line: $0, at: time, isReplay: isReplay) }
    }

    mutating func add(line: UnsafeRawBufferPointer, at time: Int64, isReplay: Bool = false) {
        if openRun.lines.count + line.count > Self.runLimitBytes || openRun.isReplay != isReplay { closeRun() }
        openRun.isReplay = isReplay
        openRun.add(line, at: time)
        unstoredBytes += line.count + 1
        addedBytes += line.count + 1
        addedLines += 1
    }

    /// - Parameter line: with its line feed. It makes a run of its own, uncopied.
    mutating func add(long line: [UInt8], at time: Int64, isReplay: Bool = false) {
        closeRun()
        waiting.append(Waiting(item: .run(lines: line, count: 1, ts: time), isReplay: isReplay))
        unstoredBytes += line.count
        addedBytes += line.count
        addedLines += 1
    }

    mutating func add(entry kind: String, body: [UInt8], at time: Int64) {
        closeRun()
        waiting.append(Waiting(item: .entry(kind: kind, body: body, ts: time)))
        unstoredBytes += body.count
        addedBytes += body.count
    }

    private mutating func closeRun() {
        guard openRun.count > 0 else { return }
        let run = LogItem.run(lines: openRun.lines, count: openRun.count, ts: openRun.time)
        waiting.append(Waiting(item: run, isReplay: openRun.isReplay))
        openRun = OpenRun()
    }

    /// What to submit now. After `.append` an answer must come: `stored` or `failed`.
    mutating func next(limitBytes: Int = appendLimitBytes) -> Action {
        guard inFlight == nil, let head else { return .wait }
        closeRun()
        guard !waiting.isEmpty else { return .wait }
        let items = takeBatch(limitBytes)
        inFlight = items
        return .append(after: head, items)
    }

    /// The append is committed: its items, to be published.
    mutating func stored(head: Int64) -> [LogItem] {
        let items = inFlight ?? []
        inFlight = nil
        self.head = head
        unstoredBytes -= items.reduce(0) { $0 + $1.byteCount }
        settledLines += items.reduce(0) { $0 + $1.lineCount }
        return items
    }

    /// The append did not happen: its items stand first in line again.
    mutating func failed() {
        waiting = (inFlight ?? []).map { Waiting(item: $0) } + waiting
        inFlight = nil
    }

    /// Where the log stands if the append in flight did happen, though its answer says otherwise.
    var headIfStored: Int64? {
        guard let head, inFlight != nil else { return nil }
        return head + Int64(linesInFlight)
    }

    /// Gives up all that waits. Returns how many lines that were.
    @discardableResult
    mutating func discardWaiting() -> Int { discard { _ in true } }

    /// Gives up the repeated lines that wait: the log has them already.
    mutating func discardReplay() { _ = discard { $0.isReplay } }

    private mutating func discard(_ isUnwanted: (Waiting) -> Bool) -> Int {
        closeRun()
        var lines = 0
        waiting.removeAll { element in
            guard isUnwanted(element) else { return false }
            lines += element.item.lineCount
            unstoredBytes -= element.item.byteCount
            return true
        }
        settledLines += lines
        return lines
    }

    var isEmpty: Bool { waiting.isEmpty && openRun.count == 0 && inFlight == nil }

    private mutating func takeBatch(_ limitBytes: Int) -> [LogItem] {
        var bytes = 0
        var count = 0
        for element in waiting {
            bytes += element.item.byteCount
            if count > 0, bytes > limitBytes { break }
            count += 1
        }
        if count == waiting.count {
            defer { waiting = [] }
            return waiting.map(\.item)
        }
        defer { waiting.removeFirst(count) }
        return waiting.prefix(count).map(\.item)
    }
}

/// Lines that are still being gathered, each with its LF.
private struct OpenRun {
    var lines: [UInt8] = []
    var count = 0
    var time: Int64 = 0
    var isReplay = false

    mutating func add(_ line: UnsafeRawBufferPointer, at now: Int64) {
        if count == 0 { time = now }
        lines.append(contentsOf: line)
        lines.append(0x0a)
        count += 1
    }
}
