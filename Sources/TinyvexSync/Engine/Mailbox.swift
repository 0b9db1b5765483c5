import Synchronization

/// What lies in a mailbox until its reader comes for it.
package protocol MailboxContents: Sendable {
    associatedtype Item: Sendable
    associatedtype Taken: Sendable

    var isEmpty: Bool { get }
    /// More lies here than its reader should be given.
    var isFull: Bool { get }
    mutating func add(_ item: Item)
    /// Everything, or as much as the reader takes at once.
    mutating func take() -> Taken
}

/// Where what is meant for one reader waits for it. Filled under the core's lock, read without it.
package final class Mailbox<Contents: MailboxContents>: Sendable {
    private struct State {
        var contents: Contents
        /// It was full and has not been emptied since.
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

    /// More came than its reader should be given, and has not been taken since.
    var hasBeenFull: Bool { state.withLock { $0.hasBeenFull } }

    /// True when it is full by this, and was not before.
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

    /// What lies here can still be read; then comes the error.
    func fail(_ error: TinyvexError) { end(.failed(error)) }

    /// What lies here can still be read; then comes the end.
    func finish() { end(.finished) }

    private func end(_ ending: Ending) {
        let waiting = state.withLock { state in
            if state.end == nil { state.end = ending }
            return state.takeWaiting()
        }
        for waiter in waiting { waiter.continuation.resume() }
    }

    /// What has come, waiting for it. Nil at the end, and when the task is cancelled. `wasFull`: others have been held
    /// back, and need be no longer.
    package func take() async throws(TinyvexError) -> (taken: Contents.Taken, wasFull: Bool)? {
        while true {
            if let result = takeNow() { return try result.get() }
            if Task.isCancelled { return nil }
            await waitForSomething()
        }
    }

    private func takeNow() -> Result<(taken: Contents.Taken, wasFull: Bool)?, TinyvexError>? {
        state.withLock { state in
            if !state.contents.isEmpty {
                let taken = state.contents.take()
                let wasFull = state.hasBeenFull && state.contents.isEmpty
                if wasFull { state.hasBeenFull = false }
                return .success((taken, wasFull))
            }
            switch state.end {
            case nil: return nil
            case .finished: return .success(nil)
            case .failed(let error):
                // An error is thrown once; who asks on finds the end.
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
                let mayGoOn = state.withLock { state in
                    if !state.contents.isEmpty || state.end != nil || Task.isCancelled { return true }
                    state.waiting.append(Waiter(number: number, continuation: continuation))
                    return false
                }
                if mayGoOn { continuation.resume() }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0) }
            }
            waiter?.continuation.resume()
        }
    }
}

/// Everything, in order.
struct PieceQueue: MailboxContents {
    let limitBytes: Int
    private var pieces: [StreamPiece] = []
    private var byteCount = 0

    /// For what a piece takes beside its lines.
    private static let overheadBytes = 64

    init(limitBytes: Int) { self.limitBytes = limitBytes }

    var isEmpty: Bool { pieces.isEmpty }
    var isFull: Bool { byteCount > limitBytes }

    mutating func add(_ piece: StreamPiece) {
        pieces.append(piece)
        byteCount += Self.overheadBytes
        if case .lines(let run) = piece { byteCount += run.byteCount }
    }

    mutating func take() -> [StreamPiece] {
        defer {
            pieces = []
            byteCount = 0
        }
        return pieces
    }
}

/// Only the newest; what nobody took in time is gone.
package struct Newest<Value: Sendable>: MailboxContents {
    private var value: Value?

    package init(_ value: Value? = nil) { self.value = value }

    package var isEmpty: Bool { value == nil }
    package var isFull: Bool { false }
    package mutating func add(_ value: Value) { self.value = value }

    package mutating func take() -> Value? {
        defer { value = nil }
        return value
    }
}
