import Synchronization
import TinyvexTransport

/// The queue between the core and the two tasks that serve one connection. It holds the outgoing texts and whether the
/// connection can be read.
///
/// The machine bounds the queue: it appends no more than its limit until the transport has taken texts.
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

    /// Accepts no more texts. Texts that are already queued are still sent, followed by a close frame with this code.
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

    /// Returns all queued texts in order, and waits if there are none. Returns nil once the pipe is finished and empty.
    func nextTexts() async -> [[UInt8]]? {
        while true {
            let (texts, isFinished) = state.withLock { state in
                defer { state.texts = [] }
                return (state.texts, state.isFinished)
            }
            if !texts.isEmpty { return texts }
            if isFinished { return nil }
            await withCheckedContinuation { continuation in
                let canContinue = state.withLock { state in
                    if !state.texts.isEmpty || state.isFinished { return true }
                    state.waitingWriter = continuation
                    return false
                }
                if canContinue { continuation.resume() }
            }
        }
    }

    /// Waits until the connection can be read, and returns true. Returns false once the pipe is finished.
    func mayRead() async -> Bool {
        while true {
            let (isReading, isFinished) = state.withLock { ($0.isReading, $0.isFinished) }
            if isFinished { return false }
            if isReading { return true }
            await withCheckedContinuation { continuation in
                let canContinue = state.withLock { state in
                    if state.isReading || state.isFinished { return true }
                    state.waitingReader = continuation
                    return false
                }
                if canContinue { continuation.resume() }
            }
        }
    }
}
