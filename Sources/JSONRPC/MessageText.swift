import JSONScan

/// The JSON texts of JSON-RPC 2.0 messages, without a line feed at the end.
public enum MessageText {
    /// `{"jsonrpc":"2.0","id":1,"method":"session/cancel","params":{…}}`. Without `params`, that member is left out.
    public static func request(
        id: RequestID, method: String, params: ((inout JSONWriter) -> Void)? = nil
    ) -> [UInt8] {
        message {
            $0.member("id", id)
            $0.member("method", method)
            if let params { $0.memberObject("params", params) }
        }
    }

    /// Same as `request`, but without an id. It must not be answered.
    public static func notification(method: String, params: ((inout JSONWriter) -> Void)? = nil) -> [UInt8] {
        message {
            $0.member("method", method)
            if let params { $0.memberObject("params", params) }
        }
    }

    /// A response with an object as its result. `result` writes the object's members.
    public static func response(id: RequestID, result: (inout JSONWriter) -> Void) -> [UInt8] {
        message {
            $0.member("id", id)
            $0.memberObject("result", result)
        }
    }

    /// A response with a result that is already one JSON value. The value is not checked.
    public static func response(id: RequestID, rawResult: some Collection<UInt8>) -> [UInt8] {
        message {
            $0.member("id", id)
            $0.member("result", raw: rawResult)
        }
    }

    /// `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"…","data":{…}}}`; `data` is left out when it is nil.
    ///
    /// `id` is `.null` if the id of the request could not be read (section 5).
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
