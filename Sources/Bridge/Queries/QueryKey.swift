import Tinyvex

/// Which value is meant. Equal keys share one computation and one encoded value.
struct QueryKey: Hashable, Sendable {
    let name: QueryName
    /// In canonical text: the order of members and their spelling make no difference.
    let params: [UInt8]
    /// Whose sessions it may show; nil for all.
    let tenant: String?
}

extension QueryKey {
    /// 16 KiB. A watched value keeps its params, members that mean nothing here among them.
    static let paramsLimitBytes = 16 << 10

    init(_ name: QueryName, _ params: Parameters, tenant: String?) throws(Rejection) {
        let text = params.canonicalText
        guard text.count <= Self.paramsLimitBytes else {
            throw .invalidParams("params are longer than \(Self.paramsLimitBytes) bytes")
        }
        self.init(name: name, params: text, tenant: tenant)
    }
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
