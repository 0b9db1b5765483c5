import JSONScan
import Testing

extension TinyvexTestClient {
    /// Watches a value; returns the whole answer.
    func watch(
        _ name: String, _ params: String = "{}", subId: String = "v", after lastSeq: Int64? = nil
    ) throws -> JSONValue {
        let place = lastSeq.map { #","lastSeq":\#($0)"# } ?? ""
        return try call("tinyvex/subscribe", #"{"subId":"\#(subId)","name":"\#(name)","params":\#(params)\#(place)}"#)
    }

    /// Returns the next value with its number.
    func nextValue(of subId: String = "v") throws -> (seq: Int64, value: JSONValue) {
        while true {
            let params = try #require(try next("tinyvex/data")["params"])
            guard params["subId"]?.stringValue == subId else { continue }
            return (params["seq"]?.int64Value ?? 0, try #require(params["value"]))
        }
    }

    /// Reads values until `isWanted` returns true.
    func value(of subId: String = "v", where isWanted: (JSONValue) -> Bool) throws -> JSONValue {
        while true {
            let (_, value) = try nextValue(of: subId)
            if isWanted(value) { return value }
        }
    }
}

extension TinyvexTestClient {
    /// Runs a mutation; returns the whole answer. If `requestId` is nil, the client generates one that it has not used
    /// yet.
    func mutate(_ name: String, _ args: String, requestId: String? = nil) throws -> JSONValue {
        mutationCount += 1
        let id = requestId ?? String(mutationCount)
        return try call("tinyvex/mutation", #"{"requestId":"\#(id)","name":"\#(name)","args":\#(args)}"#)
    }
}

extension TinyvexTestClient {
    /// The params of `tinyvex/action`.
    static func action(_ name: String, _ args: String) -> String {
        #"{"requestId":"\#(name)","name":"\#(name)","args":\#(args)}"#
    }

    /// Runs an action that must succeed.
    func actionValue(_ name: String, _ args: String) throws -> JSONValue {
        let answer = try call("tinyvex/action", Self.action(name, args))
        return try #require(answer["result"]?["value"], "\(answer.rawString)")
    }

    /// Runs an action; returns its error, or its whole answer if it succeeds.
    func actionFault(_ name: String, _ args: String) throws -> (code: String?, message: String) {
        let answer = try call("tinyvex/action", Self.action(name, args))
        return (answer.errorCode, answer["error"]?["message"]?.stringValue ?? answer.rawString)
    }
}
