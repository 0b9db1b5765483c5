import EventLoop

/// Faults with which a bridge can continue to run. Each fault is reported once while it lasts, and is listed in
/// `bridge:status`.
@LoopActor struct RunningWarnings {
    private enum Fault: CaseIterable {
        /// Remains set for as long as the bridge runs.
        case logWasLost
        /// Sessions are kept for longer than ``RetentionPolicy/age``.
        case clockIsAhead
        /// The key set of the issuer is missing or old.
        case issuerKeysAreOld
    }

    private var texts: [Fault: String] = [:]
    private let report: @Sendable (String) -> Void

    /// - Parameter report: Called with a sentence for the user who runs the bridge.
    init(report: @escaping @Sendable (String) -> Void) { self.report = report }

    /// One or a few sentences for each fault.
    var all: [String] { Fault.allCases.compactMap { texts[$0] } }

    /// Files of the log were deleted, moved or replaced, and have been restored.
    mutating func logWasRestored(_ paths: [String]) {
        texts[.logWasLost] = nil
        warn(
            .logWasLost,
            "\(paths.joined(separator: ", ")): deleted, moved or replaced while the bridge was running. "
                + "The log was restored with all stored data. To start a new log, stop the bridge first.")
    }

    /// - Parameter lead: How far the system's clock is ahead of the time that the log trusts; zero if the clock is
    ///   trusted.
    mutating func checkedClock(lead: Duration) {
        guard lead > .zero else { return texts[.clockIsAhead] = nil }
        let days = max(1, lead.components.seconds / 86_400)
        warn(
            .clockIsAhead,
            "The clock is \(days == 1 ? "a day" : "\(days) days") ahead of the last time that the session log knows. "
                + "Until the bridge has run for a day with that time, --retain deletes no session because of the difference. "
                + "Check the clock."
        )
    }

    /// - Parameter fault: The reason why the key set of the issuer could not be fetched; nil if it was.
    mutating func fetchedIssuerKeys(fault: String?) {
        guard let fault else { return texts[.issuerKeysAreOld] = nil }
        warn(
            .issuerKeysAreOld,
            "The issuer's keys (--jwt-jwks) could not be fetched: \(fault). The bridge continues with the keys that it has, "
                + "and tries again.")
    }

    private mutating func warn(_ fault: Fault, _ text: String) {
        if texts.updateValue(text, forKey: fault) == nil { report(text) }
    }
}
