import Synchronization

/// What one thread is to do. Putting never blocks; only one thread takes.
///
/// Unbounded: whoever submits bounds what is in flight (see ``WriteRequest/Operation/append(sid:epoch:after:items:)``).
final class Inbox<Element: Sendable>: Sendable {
    private struct State {
        var items: [Element] = []
        var isClosed = false
        var isSignalled = false

        /// Whether the caller must post: a post that nobody has waited for yet is enough for all.
        mutating func raiseSignal() -> Bool {
            defer { isSignalled = true }
            return !isSignalled
        }
    }

    private let state = Mutex(State())
    private let ready = Semaphore()

    /// False if the inbox is closed, and the element was not taken in.
    func put(_ element: Element) -> Bool {
        let (accepted, mustSignal) = state.withLock { state in
            guard !state.isClosed else { return (false, false) }
            state.items.append(element)
            return (true, state.raiseSignal())
        }
        if mustSignal { ready.post() }
        return accepted
    }

    /// Everything that waits, once something does; `nil` when the inbox is closed and empty.
    ///
    /// - Parameter duration: after which there may be nothing.
    func take(within duration: Duration? = nil) -> [Element]? {
        while true {
            let waiting = takeWaiting()
            if waiting?.isEmpty != true { return waiting }
            if let duration {
                guard ready.wait(for: duration) else { return waiting }
            } else {
                ready.wait()
            }
            state.withLock { $0.isSignalled = false }
        }
    }

    /// Everything that waits, perhaps nothing; `nil` when the inbox is closed and empty.
    func takeWaiting() -> [Element]? {
        state.withLock { state in
            if state.items.isEmpty && state.isClosed { return nil }
            var taken: [Element] = []
            swap(&taken, &state.items)
            return taken
        }
    }

    func close() {
        let mustSignal = state.withLock { state in
            state.isClosed = true
            return state.raiseSignal()
        }
        if mustSignal { ready.post() }
    }
}
