import SessionRecords

/// The data that waits to be stored for one session, and the one append that is in flight. Pure.
///
/// While an append is in flight, all new data is gathered, and the next append carries it. The log's own pace thus sets
/// the size of a batch, and the order is kept without extra work.
struct AppendMachine {
    enum Action {
        case wait
        case append(after: Int64, [LogItem])
    }

    /// Maximum bytes of a run. One session's backlog is stored, framed and sent in pieces, so that other sessions get
    /// their turn between them. A piece of this size stays in the processor's cache while it is sent to many readers. A
    /// single longer line makes a longer run.
    static let runLimitBytes = 128 << 10
    /// Maximum bytes of one append, for the same reason.
    static let appendLimitBytes = 2 << 20
    /// Maximum bytes of one append while other sessions store data too. They wait for this append, because it is one
    /// transaction of the log.
    static let sharedAppendLimitBytes = 128 << 10

    /// The decision on a line.
    enum Mark {
        case new
        /// The agent repeats its history. The line is stored only if the log has none.
        case isReplay
        /// The line is stored or discarded when more is known. It and all that follows wait until then.
        case isUndecided
        /// The line is discarded when everything before it is stored. Before that it keeps its place in the count of
        /// lines.
        case isDiscarded

        /// True if the line can be stored now.
        fileprivate var isStorable: Bool { self == .new || self == .isReplay }
    }

    private struct Waiting {
        let item: LogItem
        var mark = Mark.new
    }

    private var waiting: [Waiting] = []
    /// The run that the next line joins. It comes after everything in `waiting`.
    private var openRun = OpenRun()
    /// The size of the latest run. While data floods in, the next one has the same size.
    private var expectedRunBytes = 0
    private var inFlight: [LogItem]? {
        didSet { linesInFlight = inFlight?.reduce(0) { $0 + $1.lineCount } ?? 0 }
    }
    /// Cached because it is read for each line that waits for a number.
    private var linesInFlight = 0
    private(set) var head: Int64?
    /// Bytes that are not stored yet.
    private(set) var unstoredBytes = 0
    /// All bytes that were ever added.
    private(set) var addedBytes = 0

    /// Bytes that were added and are now stored or discarded.
    var settledBytes: Int { addedBytes - unstoredBytes }

    /// The counts of added and of settled lines, like `addedBytes` and `settledBytes`.
    private(set) var addedLines = 0
    private(set) var settledLines = 0

    /// Returns the number that a line gets if the append in flight is stored. `count` identifies the line: it is the
    /// number of lines that were added up to and including that line. Returns nil for lines that are not in the append.
    /// Call this before `stored`, which assigns the numbers.
    func numberInFlight(ofLine count: Int) -> Int64? {
        guard let head, let headIfStored, count - settledLines <= Int(headIfStored - head) else { return nil }
        return head + Int64(count - settledLines)
    }

    /// True if there are lines that are not stored yet.
    var holdsLines: Bool {
        openRun.count > 0 || waiting.contains { $0.item.lineCount > 0 }
            || inFlight?.contains { $0.lineCount > 0 } == true
    }

    /// Sets the head that the log had when the session was claimed. Nothing is appended before the head is known.
    mutating func claimed(head: Int64) { self.head = head }

    mutating func add(line: Span<UInt8>, at time: Int64, _ mark: Mark = .new) {
        line.withUnsafeBytes { add(line: $0, at: time, mark) }
    }

    mutating func add(line: UnsafeRawBufferPointer, at time: Int64, _ mark: Mark = .new) {
        if openRun.lines.count + line.count > Self.runLimitBytes || openRun.mark != mark { closeRun() }
        openRun.mark = mark
        openRun.add(line, at: time, expectedBytes: expectedRunBytes)
        unstoredBytes += line.count + 1
        addedBytes += line.count + 1
        addedLines += 1
    }

    /// - Parameter line: a line with its line feed. It makes a run of its own and is not copied.
    mutating func add(long line: [UInt8], at time: Int64, _ mark: Mark = .new) {
        closeRun()
        waiting.append(Waiting(item: .run(lines: line, count: 1, ts: time), mark: mark))
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
        let mark = openRun.mark
        waiting.append(Waiting(item: takeOpenRun(), mark: mark))
    }

    private mutating func takeOpenRun() -> LogItem {
        defer { openRun = OpenRun() }
        expectedRunBytes = openRun.lines.count
        return .run(lines: openRun.lines, count: openRun.count, ts: openRun.time)
    }

    /// Returns the data to submit now. After `.append`, a call of `stored` or `failed` must follow.
    mutating func next(limitBytes: Int = appendLimitBytes) -> Action {
        guard inFlight == nil, let head else { return .wait }
        // A session that writes a little has one run, which needs no place in the queue.
        let isAlone = waiting.isEmpty && openRun.count > 0 && openRun.mark.isStorable
        let items = isAlone ? [takeOpenRun()] : takeBatch(limitBytes)
        guard !items.isEmpty else { return .wait }
        inFlight = items
        return .append(after: head, items)
    }

    /// The time of the newest activity of the session in the append in flight; nil if it has none.
    var activityTimeInFlight: Int64? { inFlight?.last(where: \.isActivity)?.ts }

    /// Call after the append was committed. Returns its items, which must be published.
    mutating func stored(head: Int64) -> [LogItem] {
        let items = inFlight ?? []
        inFlight = nil
        self.head = head
        unstoredBytes -= items.reduce(0) { $0 + $1.byteCount }
        settledLines += items.reduce(0) { $0 + $1.lineCount }
        return items
    }

    /// Call after the append failed. Its items return to the front of the queue.
    mutating func failed() {
        waiting = (inFlight ?? []).map { Waiting(item: $0) } + waiting
        inFlight = nil
    }

    /// The log's head if the append in flight was stored although its answer reports a failure.
    var headIfStored: Int64? {
        guard let head, inFlight != nil else { return nil }
        return head + Int64(linesInFlight)
    }

    /// Discards everything that waits. Returns the number of discarded lines.
    @discardableResult
    mutating func discardWaiting() -> Int { discard { _ in true } }

    /// Discards the repeated lines that wait, because the log already has them.
    mutating func discardReplay() { _ = discard { $0.mark == .isReplay } }

    /// True if all lines before the first undecided one are stored.
    var isStoredThroughUndecided: Bool {
        guard inFlight == nil else { return false }
        if let first = waiting.first { return first.mark == .isUndecided }
        return openRun.count == 0 || openRun.mark == .isUndecided
    }

    /// Decides on all undecided lines.
    ///
    /// - Parameter first: The index before which no waiting line is undecided.
    mutating func settleUndecided(areRepeated: Bool, from first: Int = 0) {
        closeRun()
        for index in waiting.indices[first...] where waiting[index].mark == .isUndecided {
            waiting[index].mark = areRepeated ? .isDiscarded : .new
        }
    }

    /// Asks for each undecided line again.
    ///
    /// - Parameter judge: returns the line's mark, and whether the undecided lines before it are repeated; nil if they
    ///   stay undecided.
    mutating func judgeUndecided(_ judge: (Span<UInt8>) -> (earlierAreRepeated: Bool?, mark: Mark)) {
        closeRun()
        let before = waiting
        waiting = []
        waiting.reserveCapacity(before.count)
        var firstUndecided = 0
        for element in before {
            guard element.mark == .isUndecided, case .run(let lines, _, let time) = element.item else {
                waiting.append(element)
                continue
            }
            for line in lines.split(separator: 0x0a, omittingEmptySubsequences: false).dropLast() {
                let judgement = judge(Array(line).span)
                if let areRepeated = judgement.earlierAreRepeated {
                    settleUndecided(areRepeated: areRepeated, from: firstUndecided)
                    firstUndecided = waiting.count
                }
                let item = LogItem.run(lines: Array(line) + [0x0a], count: 1, ts: time)
                waiting.append(Waiting(item: item, mark: judgement.mark))
            }
        }
    }

    /// Drops the discarded lines at the front of the queue. Everything before them is stored.
    private mutating func dropDiscarded() {
        let count = waiting.prefix { $0.mark == .isDiscarded }.count
        guard count > 0 else { return }
        for element in waiting.prefix(count) {
            unstoredBytes -= element.item.byteCount
            settledLines += element.item.lineCount
        }
        waiting.removeFirst(count)
    }

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
        closeRun()
        dropDiscarded()
        var bytes = 0
        var count = 0
        for element in waiting {
            guard element.mark.isStorable else { break }
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

/// The lines of a run that is still being gathered, each with its LF.
private struct OpenRun {
    var lines: [UInt8] = []
    var count = 0
    var time: Int64 = 0
    var mark = AppendMachine.Mark.new

    /// - Parameter expectedBytes: The size that the run will probably have. Memory for it is reserved at once: growing
    ///   takes twice the memory, and new pages from the system for each run.
    mutating func add(_ line: UnsafeRawBufferPointer, at now: Int64, expectedBytes: Int) {
        if count == 0 {
            time = now
            lines.reserveCapacity(max(expectedBytes, line.count + 1))
        }
        lines.append(contentsOf: line)
        lines.append(0x0a)
        count += 1
    }
}
