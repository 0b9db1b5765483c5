import Synchronization

/// What stands between the core and the two tasks that serve one connection: texts on their way out, and whether to read.
///
/// Bounded by the machine, which puts no more in than it is told that the transport has taken.
final class ConnectionPipe: Sendable {
    private struct State {
        var texts: [[UInt8]] = []
        var isReading: Bool
        var isFinished = false
        var closeCode = CloseReason.normal
        var connection: (any TransportConnection)?
        var waitingWriter: CheckedContinuation<Void, Never>?
        var waitingReader: CheckedContinuation<Void, Never>?
    }

    private let state: Mutex<State>

    init(isReading: Bool) { state = Mutex(State(isReading: isReading)) }

    var lastHeard: ContinuousClock.Instant? { state.withLock { $0.connection }?.lastHeard }

    var closeCode: UInt16 { state.withLock { $0.closeCode } }

    func opened(_ connection: any TransportConnection) { state.withLock { $0.connection = connection } }

    // MARK: From the core

    func append(_ text: [UInt8]) {
        let writer = state.withLock { state in
            state.texts.append(text)
            return state.waitingWriter.take()
        }
        writer?.resume()
    }

    func setReading(_ isReading: Bool) {
        let reader = state.withLock { state in
            state.isReading = isReading
            return isReading ? state.waitingReader.take() : nil
        }
        reader?.resume()
    }

    /// Nothing more goes in. What is in still goes out, and then a close frame with this code.
    func finish(code: UInt16 = CloseReason.normal) {
        let (writer, reader) = state.withLock { state in
            if !state.isFinished { state.closeCode = code }
            state.isFinished = true
            return (state.waitingWriter.take(), state.waitingReader.take())
        }
        writer?.resume()
        reader?.resume()
    }

    // MARK: From the tasks

    /// All texts that wait, in order; waits for one. Nil once it is finished and empty.
    func nextTexts() async -> [[UInt8]]? {
        while true {
            let (texts, isFinished) = state.withLock { state in
                defer { state.texts = [] }
                return (state.texts, state.isFinished)
            }
            if !texts.isEmpty { return texts }
            if isFinished { return nil }
            await withCheckedContinuation { continuation in
                let mayGoOn = state.withLock { state in
                    if !state.texts.isEmpty || state.isFinished { return true }
                    state.waitingWriter = continuation
                    return false
                }
                if mayGoOn { continuation.resume() }
            }
        }
    }

    /// Returns when the connection may be read; false once it is finished.
    func mayRead() async -> Bool {
        while true {
            let (isReading, isFinished) = state.withLock { ($0.isReading, $0.isFinished) }
            if isFinished { return false }
            if isReading { return true }
            await withCheckedContinuation { continuation in
                let mayGoOn = state.withLock { state in
                    if state.isReading || state.isFinished { return true }
                    state.waitingReader = continuation
                    return false
                }
                if mayGoOn { continuation.resume() }
            }
        }
    }
}
