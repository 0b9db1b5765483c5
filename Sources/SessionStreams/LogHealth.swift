import Diagnostics
import EventLoop
import SessionRecords

/// The state of the log, for `bridge:status` and `/metrics`. The daemon's own log gets each beginning and end of a
/// failure.
@LoopActor package struct LogHealth {
    private var failures = Failures() {
        didSet {
            switch (oldValue.current, failures.current) {
            case (nil, let error?): DiagnosticLog.daemon.record(.logFailed(error: "\(error)"))
            case (_?, nil): DiagnosticLog.daemon.record(.logRecovered)
            default: break
            }
        }
    }
    /// Lines that were not stored because the log could not be written for too long.
    package internal(set) var unstoredLines = 0

    private struct Failures {
        /// The latest failure; nil after the log has been written.
        var latest: LogError?
        /// The reason why syncs fail.
        var sync: LogError?
        var current: LogError? { latest ?? sync }
    }

    /// Nil if the log works.
    package var failure: LogError? { failures.current }

    mutating func failed(_ error: LogError) { failures.latest = error }

    /// True if the log could not be written. It can be written and not synced.
    var hasFailed: Bool { failures.latest != nil }

    mutating func written() { failures.latest = nil }

    /// - Parameter error: the reason why syncs fail; nil if they work again.
    mutating func syncFailed(_ error: LogError?) { failures.sync = error }
}
