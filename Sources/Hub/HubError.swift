import Postgres
import TextSearch

/// A failure of a request to the hub. No text contains the hub's password.
package enum HubError: Error, Equatable, Sendable {
    case postgres(PostgresError)
    /// The database has no schema `acpbridge`.
    case schemaMissing
    case schemaOlder(found: Int64)
    case schemaNewer(found: Int64)
    /// Another process writes the same log: a copy of this one, or a process that was lost without ending its lease.
    case leaseHeld
    /// The log is a copy, or was restored: the hub has other contents under its numbers.
    case forked
    /// `hub retain` has deleted sessions of the log since the bridge has read what the hub has.
    case trimmed
    /// The hub holds rows that contradict each other.
    case damaged
    case outOfMemory
    /// The bridge is about to end.
    case closed

    /// True if the connection can no longer be used.
    package var endsConnection: Bool {
        switch self {
        case .postgres(let error): error.endsConnection
        case .schemaMissing, .schemaOlder, .schemaNewer, .closed: true
        case .leaseHeld, .forked, .trimmed, .damaged, .outOfMemory: false
        }
    }

    /// True if both are of one outage, which has several reasons one after another: the connection ends, then the server
    /// refuses connections, then it does not answer. The server's messages of one state can differ in a file's name.
    package func isSameOutage(as other: HubError) -> Bool {
        if case .postgres(let error) = self, case .postgres(let other) = other, let state = error.sqlState {
            return state == other.sqlState
        }
        return self == other || (isOutage && other.isOutage)
    }

    private var isOutage: Bool {
        guard case .postgres(let error) = self else { return false }
        return switch error {
        case .unreachable, .disconnected, .timedOut: true
        default: false
        }
    }

    /// The user of the connection has no right to the statement.
    package var isRefusedRight: Bool {
        if case .postgres(let error) = self { error.sqlState == "42501" } else { false }
    }

    /// The shipper's reaction to a transaction that failed with this error.
    package var shippingFailure: ShipperMachine.Failure {
        guard case .postgres(let error) = self, let state = error.sqlState else { return .hub }
        if error.isUniqueViolation { return .conflict }
        if error.isMissingPartition { return .hub }
        // Data exceptions, violated constraints, and program limits.
        return ["22", "23", "54"].contains(String(state.prefix(2))) ? .contents(error.description) : .hub
    }
}

extension HubError: CustomStringConvertible {
    /// libpq gives no SQLSTATE for a refused connection. A server with another language gets no advice.
    private static func advice(_ error: PostgresError) -> String {
        guard case .unreachable(let reason) = error, reason.contains(text: "password authentication failed") else {
            return ""
        }
        return "; correct the password in ~/.pgpass, which each attempt reads, or where the address of the hub is set"
    }

    package var description: String {
        switch self {
        case .postgres(let error): error.description + Self.advice(error)
        case .schemaMissing: "the database has no tables of acpbridge; create them with `acpbridge hub init`"
        case .schemaOlder(let found):
            "the hub has schema version \(found), and this bridge needs \(HubSchema.version); "
                + "upgrade it with `acpbridge hub migrate`"
        case .schemaNewer(let found):
            "the hub has schema version \(found), and this bridge knows only \(HubSchema.version); upgrade the bridge"
        case .leaseHeld: "another bridge ships a log with the same id to the hub"
        case .forked:
            "the hub has other updates under the numbers of this log, which was restored or is a copy; "
                + "the log gets a new id when the bridge starts again"
        case .trimmed: "old sessions of this bridge were deleted at the hub"
        case .damaged: "the hub has rows that contradict each other"
        case .outOfMemory: "there is not enough memory"
        case .closed: "the bridge is about to end"
        }
    }
}
