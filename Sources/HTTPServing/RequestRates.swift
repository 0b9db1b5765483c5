import Access
import Posix

/// The limits on the rates of requests over TCP, by kind of request. Pure.
///
/// The Unix socket has no limit, because it belongs to the user.
struct RequestRates {
    private var requests: RequestRate
    private var files: RequestRate
    private var codes = RequestRate(perMinute: Self.codesPerMinute)

    /// Attempts to exchange a code for a token, right or wrong. Ten phones behind one address get their tokens at once;
    /// 50 random bits cannot be guessed at this rate.
    private static let codesPerMinute = 30

    init(_ limits: Limits) {
        requests = RequestRate(perMinute: limits.requestsPerMinute)
        files = RequestRate(perMinute: limits.fileRequestsPerMinute)
    }

    /// Returns nil if the peer can send a request now, otherwise the number of seconds to wait.
    mutating func admitRequest(_ peer: Peer, at now: Instant) -> Int? { Self.admit(from: &requests, peer, at: now) }

    /// The same for a file of the page. A page load is a burst of requests, so it does not count in the other limit.
    mutating func admitFile(_ peer: Peer, at now: Instant) -> Int? { Self.admit(from: &files, peer, at: now) }

    /// The same for an attempt to use a code.
    mutating func admitCode(_ peer: Peer, at now: Instant) -> Int? { Self.admit(from: &codes, peer, at: now) }

    private static func admit(from rate: inout RequestRate, _ peer: Peer, at now: Instant) -> Int? {
        guard case .network(let address?) = peer else { return nil }
        return rate.admit(address, at: now)
    }
}
