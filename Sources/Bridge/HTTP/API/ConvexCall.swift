import HTTP1
import JSONRPC
import JSONScan
import Tinyvex

/// A call in Convex's format: `{"path":"sessions:list","args":{…},"format":"json"}`.
struct ConvexCall: Sendable {
    let path: String
    let arguments: Parameters

    init(_ body: [UInt8]) throws(Rejection) {
        let members = Parameters(try JSONBody.object(body))
        path = try members.string("path")
        arguments = try members.optionalObject("args") ?? Parameters(nil)
        guard try members.optionalString("format") ?? "json" == "json" else {
            throw .invalidParams("format must be \"json\"")
        }
    }

    // MARK: Responses

    /// `{"status":"success","value":…,"logLines":[]}`
    static func success(_ value: [UInt8]) -> Response {
        .json(
            JSONWriter.object { writer in
                writer.member("status", "success")
                writer.member("value", raw: value)
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
