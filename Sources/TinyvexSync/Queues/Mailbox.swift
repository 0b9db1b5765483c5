import Synchronization
import TinyvexMachine

/// The contents of a mailbox, kept until its reader takes them.
package protocol MailboxContents: Sendable {
    associatedtype Item: Sendable
    associatedtype Taken: Sendable

    var isEmpty: Bool { get }
    /// True if the contents exceed the reader's limit.
    var isFull: Bool { get }
    mutating func add(_ item: Item)
    /// Removes and returns everything, or as much as the reader takes at once.
    mutating func drain() -> Taken
}

/// Keeps the items for one reader until the reader takes them. The core fills it under its lock; the reader takes items
/// without that lock.
package final class Mailbox<Contents: MailboxContents>: Sendable {
    private struct State {
        var contents: Contents
        /// True if the mailbox was full and has not been emptied since.
        var hasBeenFull = false
        var end: Ending?
        var waiting: [Waiter] = []
        var nextWaiter = 0

        mutating func takeWaiting() -> [Waiter] {
            if waiting.isEmpty { return [] }
            defer { waiting = [] }
            return waiting
        }
    }

    private struct Waiter {
        let number: Int
        let continuation: CheckedContinuation<Void, Never>
    }

    private enum Ending { case finished, failed(TinyvexError) }

    private let state: Mutex<State>

    package init(_ contents: Contents) { state = Mutex(State(contents: contents)) }

    /// True if the mailbox exceeded its reader's limit and has not been emptied since.
    package var hasBeenFull: Bool { state.withLock { $0.hasBeenFull } }

    /// Returns true if this item made the mailbox full.
    package func add(_ item: Contents.Item) -> Bool {
        let (becameFull, waiting) = state.withLock { state in
            guard state.end == nil else { return (false, [] as [Waiter]) }
            state.contents.add(item)
            let becameFull = state.contents.isFull && !state.hasBeenFull
            if becameFull { state.hasBeenFull = true }
            return (becameFull, state.takeWaiting())
        }
        for waiter in waiting { waiter.continuation.resume() }
        return becameFull
    }

    /// The reader can still take the remaining contents, and then gets the error.
    func fail(_ error: TinyvexError) { end(.failed(error)) }

    /// The reader can still take the remaining contents, and then gets the end.
    package func finish() { end(.finished) }

    private func end(_ ending: Ending) {
        let waiting = state.withLock { state in
            if state.end == nil { state.end = ending }
            return state.takeWaiting()
        }
        for waiter in waiting { waiter.continuation.resume() }
    }

    /// Waits for contents, and removes and returns them. Returns nil at the end, and when the task is cancelled. If `wasFull` is true,
    /// other readers were held back and can continue now.
    package func next() async throws(TinyvexError) -> (taken: Contents.Taken, wasFull: Bool)? {
        while true {
            if let result = drainNow() { return try result.get() }
            if Task.isCancelled { return nil }
            await waitForSomething()
        }
    }

    private func drainNow() -> Result<(taken: Contents.Taken, wasFull: Bool)?, TinyvexError>? {
        state.withLock { state in
            if !state.contents.isEmpty {
                let taken = state.contents.drain()
                let wasFull = state.hasBeenFull && state.contents.isEmpty
                if wasFull { state.hasBeenFull = false }
                return .success((taken, wasFull))
            }
            switch state.end {
            case nil: return nil
            case .finished: return .success(nil)
            case .failed(let error):
                // The error is thrown once; later calls return the end.
                state.end = .finished
                return .failure(error)
            }
        }
    }

    private func waitForSomething() async {
        let number = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let canContinue = state.withLock { state in
                    if !state.contents.isEmpty || state.end != nil || Task.isCancelled { return true }
                    state.waiting.append(Waiter(number: number, continuation: continuation))
                    return false
                }
                if canContinue { continuation.resume() }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0) }
            }
            waiter?.continuation.resume()
        }
    }
}

/// Only the newest value. A value that is not taken before the next one arrives is dropped.
package struct Newest<Value: Sendable>: MailboxContents {
    private var value: Value?

    package init(_ value: Value? = nil) { self.value = value }

    package var isEmpty: Bool { value == nil }
    package var isFull: Bool { false }
    package mutating func add(_ value: Value) { self.value = value }

    package mutating func drain() -> Value? {
        defer { value = nil }
        return value
    }
}
