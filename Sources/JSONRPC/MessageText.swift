import JSONScan

/// The JSON texts of JSON-RPC 2.0 messages, without a line feed at the end.
public enum MessageText {
    /// `{"jsonrpc":"2.0","id":1,"method":"session/cancel","params":{…}}`; without `params`, that member is left out.
    public static func request(
        id: RequestID, method: String, params: ((inout JSONWriter) -> Void)? = nil
    ) -> [UInt8] {
        message {
            $0.member("id", id)
            $0.member("method", method)
            if let params { $0.memberObject("params", params) }
        }
    }

    /// As `request`, without an id: nothing may answer it.
    public static func notification(method: String, params: ((inout JSONWriter) -> Void)? = nil) -> [UInt8] {
        message {
            $0.member("method", method)
            if let params { $0.memberObject("params", params) }
        }
    }

    /// A response whose result is an object with the members that `result` writes.
    public static func response(id: RequestID, result: (inout JSONWriter) -> Void) -> [UInt8] {
        message {
            $0.member("id", id)
            $0.memberObject("result", result)
        }
    }

    /// A response whose result is one JSON value already, and is trusted to be.
    public static func response(id: RequestID, rawResult: some Collection<UInt8>) -> [UInt8] {
        message {
            $0.member("id", id)
            $0.member("result", raw: rawResult)
        }
    }

    /// `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"…","data":{…}}}`; `data` only when it is written.
    ///
    /// `id` is `.null` where the request's could not be read (section 5).
    public static func errorResponse(
        id: RequestID, code: ErrorCode, message: String, data: ((inout JSONWriter) -> Void)? = nil
    ) -> [UInt8] {
        Self.message {
            $0.member("id", id)
            $0.memberObject("error") {
                $0.member("code", code.rawValue)
                $0.member("message", message)
                if let data { $0.memberObject("data", data) }
            }
        }
    }

    private static func message(_ members: (inout JSONWriter) -> Void) -> [UInt8] {
        JSONWriter.object {
            $0.member("jsonrpc", "2.0")
            members(&$0)
        }
    }
}
