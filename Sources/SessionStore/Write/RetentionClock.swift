import SQLite
import SessionRecords

/// The clock by which old sessions are deleted (``TrustedClock``), and its copy in the log, which outlives the bridge.
struct RetentionClock {
    /// As of the last ``WriteRequest/Operation/retain(_:)``.
    private var trusted: TrustedClock?

    /// Returns how far the system's clock is ahead: see ``TrustedClock``.
    mutating func lead(of reading: ClockReading, _ connection: borrowing Connection) throws(SQLiteError) -> Int64 {
        let stored = try Self.stored(connection)
        let newest = stored == nil ? try Self.newestTime(connection) : nil
        var clock = trusted ?? stored ?? TrustedClock(time: newest ?? reading.now)
        let lead = clock.advance(to: reading)
        trusted = clock
        if clock.mustBeStored(over: stored) {
            try connection.prepare("UPDATE log SET clock = ?1, clock_trial = ?2")
                .run(.integer(clock.time), .integer(clock.trial))
        }
        return lead
    }

    private static func stored(_ connection: borrowing Connection) throws(SQLiteError) -> TrustedClock? {
        try connection.prepare("SELECT clock, clock_trial FROM log WHERE clock IS NOT NULL").first {
            TrustedClock(time: $0.integer(0), trial: $0.integer(1))
        }
    }

    /// Returns the newest time at which an ended session was active, or nil if there is none.
    private static func newestTime(_ connection: borrowing Connection) throws(SQLiteError) -> Int64? {
        try connection.prepare("SELECT max(last_ts) FROM session WHERE settled = 1").first {
            $0.isNull(0) ? nil : $0.integer(0)
        } ?? nil
    }
}
