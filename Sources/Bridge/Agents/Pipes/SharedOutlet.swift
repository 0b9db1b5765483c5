import EventLoop

/// A pipe that carries one party's bytes as they come and, between its lines, lines of others.
@LoopActor final class SharedOutlet {
    let outlet: Outlet
    private var filter: LineFilter
    /// What waits for the end of a line that has passed in part. Bounded by who adds to it.
    private var waiting: [@LoopActor () -> Void] = []

    init(_ outlet: Outlet, lineLimitBytes: Int) {
        self.outlet = outlet
        filter = LineFilter(limitBytes: lineLimitBytes)
    }

    /// Actions that wait for the end of a line.
    var waitingCount: Int { waiting.count }

    func pass(_ chunk: UnsafeRawBufferPointer) {
        filter.pass(chunk) { outlet.write($0) }
        if !filter.isMidLine { runWaiting() }
    }

    func pass(_ chunk: UnsafeRawBufferPointer, withholding isWithheld: (Span<UInt8>) -> Bool) {
        filter.pass(chunk, withholding: isWithheld) { outlet.write($0) }
        if !filter.isMidLine { runWaiting() }
    }

    /// No more lines are judged.
    func release() { filter.release { outlet.write($0) } }

    /// The party has gone in the middle of a line, which will not be finished: an empty rest ends it.
    func endPartialLine() {
        release()
        if filter.isMidLine { [0x0a].withUnsafeBytes { pass($0) } }
    }

    /// Does it now, or when the line that is on its way has passed.
    func betweenLines(_ action: @escaping @LoopActor () -> Void) {
        if filter.isMidLine { waiting.append(action) } else { action() }
    }

    /// Writes a line of others. Only between lines.
    func writeLine(_ line: [UInt8]) {
        var line = line
        line.append(0x0a)
        line.withUnsafeBytes { outlet.write($0) }
    }

    private func runWaiting() {
        guard !waiting.isEmpty else { return }
        let actions = waiting
        waiting = []
        for action in actions { action() }
    }
}
