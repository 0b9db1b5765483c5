import HTTP1
import JSONRPC
import JSONScan
import Tinyvex

/// A call in Convex's format: `{"path":"sessions:list","args":{…},"format":"json"}`, with the bridge's own member
/// `requestId`.
struct ConvexCall: Sendable {
    /// The form of times in the value.
    enum Format: String {
        /// Milliseconds since 1970, as on `/tinyvex`.
        case json
        /// Dates, as in resources.
        case iso
    }

    let request: CallRequest
    let format: Format

    /// Reads the body of a POST.
    init(_ body: [UInt8]) throws(Rejection) {
        try self.init(Parameters(try JSONBody.object(body)))
    }

    /// Reads a query from a URL: `?path=sessions:list&args={"live":true}`, percent-encoded. `args` is JSON text.
    init(_ head: RequestHead) throws(Rejection) {
        guard let members = head.queryMembers else {
            throw .invalidParams("the URL's query is not percent-encoded UTF-8")
        }
        var texts: [(name: String, json: [UInt8])] = []
        for (name, value) in members where ["path", "args", "format"].contains(name) {
            texts.append((name, name == "args" ? Array(value.utf8) : JSONWriter.scalar(value)))
        }
        // Validated before it becomes a member, because it could contain several values.
        for text in texts where text.name == "args" { _ = try JSONBody.object(text.json) }
        let body = JSONWriter.object { object in
            for text in texts { object.member(text.name, raw: text.json) }
        }
        try self.init(body)
    }

    private init(_ members: Parameters) throws(Rejection) {
        let path = try members.string("path")
        let arguments = try members.optionalObject("args") ?? Parameters(nil)
        guard let format = Format(rawValue: try members.optionalString("format") ?? "json") else {
            throw .invalidParams("format must be \"json\" or \"iso\"")
        }
        let requestId = try members.optionalString("requestId", limitBytes: CallRequest.requestIdLimitBytes)
        request = CallRequest(requestId: requestId, name: path, arguments: arguments)
        self.format = format
    }

    // MARK: Responses

    /// `{"status":"success","value":…,"logLines":[]}`
    static func success(_ value: [UInt8], _ format: Format) -> Response {
        let dated = format == .iso ? try? JSONValue(validating: value) : nil
        return .json(
            JSONWriter.object { writer in
                writer.member("status", "success")
                writer.member("value", raw: dated.map(ResourceValue.dated) ?? value)
                writer.memberArray("logLines") { _ in }
            })
    }

    /// `{"status":"error","errorMessage":"…","errorData":{"serverTs":…,"code":"TVX008"},"logLines":[]}`
    static func failure(_ rejection: Rejection, serverTs: Int64) -> Response {
        let json = JSONWriter.object { writer in
            writer.member("status", "error")
            writer.member("errorMessage", rejection.message)
            writer.memberObject("errorData") { rejection.writeData(to: &$0, serverTs: serverTs) }
            writer.memberArray("logLines") { _ in }
        }
        return .json(json, status: rejection.httpStatus)
    }
}
