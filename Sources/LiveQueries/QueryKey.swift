import JSONScan
import Tinyvex

/// Identifies a value. Equal keys share one computation and one encoded value.
package struct QueryKey: Hashable, Sendable {
    package let name: QueryName
    /// Canonical text: the order of members and their spelling make no difference.
    let params: [UInt8]
    /// The value contains only sessions of this tenant; nil for all sessions.
    package let tenant: String?

    package init(name: QueryName, params: [UInt8], tenant: String?) {
        self.name = name
        self.params = params
        self.tenant = tenant
    }
}

extension QueryKey {
    /// 16 KiB. A watched value keeps its params, including members that this query does not use.
    static let paramsLimitBytes = 16 << 10

    package init(_ name: QueryName, _ params: Parameters, tenant: String?) throws(Rejection) {
        let text = params.canonicalText
        guard text.count <= Self.paramsLimitBytes else {
            throw .invalidParams("params are longer than \(Self.paramsLimitBytes) bytes")
        }
        self.init(name: name, params: text, tenant: tenant)
    }
}

/// The data that a value can depend on.
package enum QueryTopic: Hashable, Sendable {
    /// All sessions: their listed data, and their creation and deletion.
    case sessions
    /// All sessions with this id.
    case session(id: String)
    case agents
    case permissions
    /// All stored files.
    case files
    /// All push registrations.
    case registrations
}

/// The value of a query, or the reason why the query failed.
package typealias QueryOutcome = Result<[UInt8], Rejection>

/// One outcome of a query. Copies share the bytes.
struct QueryValue: Sendable {
    let outcome: QueryOutcome
    /// Grows by one with each outcome that differs from the previous one.
    let version: Int
}
