import Posix
import Synchronization

/// The work queue of one thread. Adding an element never blocks. Only one thread takes elements.
///
/// The inbox is unbounded. Each submitter must bound its requests in flight (see
/// ``WriteRequest/Operation/append(sid:epoch:after:items:)``).
final class Inbox<Element: Sendable>: Sendable {
    private struct State {
        var items: [Element] = []
        var isClosed = false
        var isSignalled = false

        /// Returns whether the caller must post. One post that no thread has waited for yet is enough for all elements.
        mutating func raiseSignal() -> Bool {
            defer { isSignalled = true }
            return !isSignalled
        }
    }

    private let state = Mutex(State())
    private let ready = Semaphore()

    /// Adds an element. Returns false if the inbox is closed and the element was not added.
    func put(_ element: Element) -> Bool {
        let (accepted, mustSignal) = state.withLock { state in
            guard !state.isClosed else { return (false, false) }
            state.items.append(element)
            return (true, state.raiseSignal())
        }
        if mustSignal { ready.post() }
        return accepted
    }

    /// Waits for elements, and removes and returns all of them. Returns `nil` when the inbox is closed and empty.
    ///
    /// - Parameter duration: The longest time to wait. After it, the result can be empty.
    func drain(within duration: Duration? = nil) -> [Element]? {
        while true {
            let waiting = drainNow()
            if waiting?.isEmpty != true { return waiting }
            if let duration {
                guard ready.wait(for: duration) else { return waiting }
            } else {
                ready.wait()
            }
            state.withLock { $0.isSignalled = false }
        }
    }

    /// Removes and returns all elements, possibly none, without waiting. Returns `nil` when the inbox is closed and empty.
    func drainNow() -> [Element]? {
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
