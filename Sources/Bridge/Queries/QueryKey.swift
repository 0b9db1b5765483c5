import Tinyvex

/// Which value is meant. Equal keys share one computation and one encoded value.
struct QueryKey: Hashable, Sendable {
    let name: QueryName
    /// In canonical text: the order of members and their spelling make no difference.
    let params: [UInt8]
    /// Whose sessions it may show; nil for all.
    let tenant: String?
}

/// What a value may change with.
enum QueryTopic: Hashable, Sendable {
    /// Any session: what is listed of it, or that it is there.
    case sessions
    /// The sessions of one id.
    case session(id: String)
    case agents
    case permissions
}

/// What a query says, or why it cannot.
typealias QueryOutcome = Result<[UInt8], Rejection>

/// One outcome of one query. Copies share the bytes.
struct QueryValue: Sendable {
    let outcome: QueryOutcome
    /// Grows by one with each that differs from the one before.
    let version: Int
}
