import HTTP1
import JSONScan

extension Response {
    /// - Parameter json: One JSON value. A line feed is appended.
    static func json(_ json: [UInt8], status: Int = 200) -> Response {
        Response(status: status, headers: Headers([("Content-Type", "application/json")]), body: json + [0x0a])
    }

    /// `{"error":"…"}`
    static func error(_ status: Int, _ message: String) -> Response {
        .json(JSONWriter.object { $0.member("error", message) }, status: status)
    }
}
