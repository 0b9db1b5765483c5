import Synchronization
import TinyvexMachine

/// Prints the histories of several streams in the order of time. New lines follow the histories.
final class HistoryMerge: Sendable {
    private struct State {
        private var order = MergeOrder()
        /// The stream whose turn it is; see ``MergeOrder/next()``.
        private var next: (stream: Int, end: MergeOrder.Place?)?
        var lastStream = 0
        /// The streams that wait for their turns, at most one task for each.
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        /// Counts all changes.
        private var changes = 0

        /// Nil: no stream takes part any longer.
        var progress: Int? { order.isOver ? nil : changes }

        /// The place before which the stream can print; a nil place: any. Nil: it is not the stream's turn.
        func turn(of stream: Int) -> MergeOrder.Place?? {
            if order.isOver { return .some(nil) }
            return next.flatMap { $0.stream == stream ? .some($0.end) : nil }
        }

        /// Changes the order. Removes and returns the tasks that can continue.
        mutating func change(_ body: (inout MergeOrder) -> Void) -> [CheckedContinuation<Void, Never>] {
            body(&order)
            changes += 1
            guard order.isOver else {
                next = order.next()
                return next.flatMap { waiting.removeValue(forKey: $0.stream) }.map { [$0] } ?? []
            }
            defer { waiting = [:] }
            return Array(waiting.values)
        }
    }

    private let state = Mutex(State())

    /// - Parameter hasHistory: False for a stream that has only new lines.
    func stream(hasHistory: Bool) -> MergedStream {
        let number = state.withLock { state in
            state.lastStream += 1
            return state.lastStream
        }
        if hasHistory { change { $0.join(number) } }
        return MergedStream(merge: self, number: number)
    }

    /// Nil: no stream takes part any longer.
    var progress: Int? { state.withLock { $0.progress } }

    /// Call if a history does not come, for example because its bridge does not answer. It is printed when it comes.
    func leaveOutUnknown() { change { $0.leaveOutUnknown() } }

    fileprivate func change(_ body: (inout MergeOrder) -> Void) {
        for task in state.withLock({ $0.change(body) }) { task.resume() }
    }

    /// Waits until the stream can print its next line. Returns the place before which it can print; nil: any.
    ///
    /// - Throws: ``CancellationError``, if the task was cancelled.
    fileprivate func turn(of stream: Int, at time: Int64) async throws(CancellationError) -> MergeOrder.Place? {
        change { $0.setNext(time, of: stream) }
        while !Task.isCancelled {
            if let turn = state.withLock({ $0.turn(of: stream) }) { return turn }
            await wait(stream)
        }
        throw CancellationError()
    }

    private func wait(_ stream: Int) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { task in
                let canContinue = state.withLock { state in
                    if state.turn(of: stream) != nil || Task.isCancelled { return true }
                    state.waiting[stream] = task
                    return false
                }
                if canContinue { task.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: stream) }?.resume()
        }
    }
}

/// One stream among those whose histories are merged.
struct MergedStream: Sendable {
    fileprivate let merge: HistoryMerge
    fileprivate let number: Int

    /// Returns the next pieces to print, when it is their turn.
    func next(_ pieces: inout PendingPieces) async throws(CancellationError) -> [StreamPiece] {
        if merge.progress == nil { return pieces.takeAll() }
        guard let time = pieces.nextTime() else { return pieces.takeUntimed() }
        return pieces.take(of: number, before: try await merge.turn(of: number, at: time))
    }

    /// Call when the pieces have been printed.
    ///
    /// - Parameters:
    ///   - rest: The pieces that are left.
    ///   - isCaughtUp: The stream's history has been printed.
    func printed(_ rest: inout PendingPieces, isCaughtUp: Bool) {
        guard merge.progress != nil else { return }
        let time = rest.nextTime()
        merge.change { order in
            order.setNext(time, of: number)
            if isCaughtUp { order.leave(number) }
        }
    }

    /// Call when no more lines come.
    func end() {
        merge.change { order in
            order.setNext(nil, of: number)
            order.leave(number)
        }
    }
}
