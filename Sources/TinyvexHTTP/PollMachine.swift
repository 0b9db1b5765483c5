import TinyvexClient
import TinyvexTransport

/// Decides when a value is requested again. Pure.
struct PollMachine {
    enum Outcome {
        case value
        case unchanged
        case failed(TinyvexError)
    }

    enum Action: Equatable {
        case deliver
        case again
        case fail(TinyvexError)
    }

    /// The time between the last response and the next request.
    private(set) var delay: Duration = .zero
    private let interval: Duration
    private let longestInterval: Duration
    private let failuresLimit: Int?
    private var backoff: Backoff
    private var currentInterval: Duration

    /// - Parameter longestInterval: Each unchanged value doubles the interval, up to this one. A change restores it.
    init(interval: Duration, longestInterval: Duration, failuresLimit: Int?, backoff: Backoff) {
        // A shorter interval would only exhaust the bridge's limit of requests.
        self.interval = max(interval, .milliseconds(100))
        self.longestInterval = max(self.interval, longestInterval)
        self.failuresLimit = failuresLimit
        self.backoff = backoff
        currentInterval = self.interval
    }

    mutating func handle(_ outcome: Outcome) -> Action {
        switch outcome {
        case .value:
            backoff.succeeded()
            currentInterval = interval
            delay = interval
            return .deliver
        case .unchanged:
            backoff.succeeded()
            currentInterval = min(longestInterval, currentInterval * 2)
            delay = currentInterval
            return .again
        case .failed(let error): return failed(error)
        }
    }

    /// A failure that can pass delays the next request. All others end the sequence.
    private mutating func failed(_ error: TinyvexError) -> Action {
        guard case .transport(let failure) = error, Self.canPass(failure) else { return .fail(error) }
        delay = max(backoff.nextDelay(), interval, error.retryAfter ?? .zero)
        if let failuresLimit, backoff.failures >= failuresLimit { return .fail(error) }
        return .again
    }

    private static func canPass(_ failure: TransportFailure) -> Bool {
        switch failure {
        case .unreachable, .timedOut, .busy, .closed, .lost: true
        case .refused(let status, _): status >= 500
        case .invalidEndpoint, .untrusted, .insecure, .unauthorized, .notWebSocket, .messageTooLarge, .cancelled: false
        }
    }
}
