import ACPRouting
import JSONScan

/// An agent's requests of one kind that have no answer yet, the oldest first.
struct UnansweredRequests {
    /// The number of requests to keep. If there are more, the oldest are removed.
    static let limit = 16

    private var requests: [(id: [UInt8], json: [UInt8])] = []

    var byteCount: Int { requests.reduce(0) { $0 + $1.json.count } }

    /// - Parameter body: `{"requestId":5,"params":{…}}`. Params over ``SessionFold/partLimitBytes`` are left out, and so
    ///   are ids over the router's limit.
    mutating func add(_ body: JSONValue, at ts: Int64) {
        guard let id = body["requestId"], let params = body["params"],
            params.rawText.count <= SessionFold.partLimitBytes, id.rawText.count <= RequestRouter.idLimitBytes
        else { return }
        let json = JSONWriter.object { writer in
            writer.member("requestId", id)
            writer.member("askedTs", ts)
            writer.member("params", params)
        }
        requests.append((Array(id.rawText), json))
        if requests.count > Self.limit { requests.removeFirst() }
    }

    /// - Parameter answer: `{"requestId":5,…}`
    mutating func remove(answeredBy answer: JSONValue) {
        let id = answer["requestId"].map { Array($0.rawText) }
        requests.removeAll { $0.id == id }
    }

    mutating func removeAll() { requests = [] }

    /// Writes `{"requestId":5,"askedTs":MS,"params":{…}}` for each request.
    func write(to writer: inout JSONWriter) {
        for request in requests { writer.element(raw: request.json) }
    }
}
