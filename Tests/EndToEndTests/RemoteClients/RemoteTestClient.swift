import EventLoop
import JSONScan
import Posix

/// A client that speaks ACP to a bridge over WebSocket.
final class RemoteTestClient {
    let wire: TinyvexTestClient

    init(_ home: BridgeHome, path: String, fields: [(name: String, value: String)] = []) throws {
        wire = try TinyvexTestClient(.unix(path: home.socket), fields: fields, path: path)
    }

    /// Connects over TCP with a token.
    init(_ address: SocketAddress, path: String, token: String) throws {
        let fields = [(name: "Authorization", value: "Bearer \(token)")]
        wire = try TinyvexTestClient(address, fields: fields, path: path)
    }

    static let hello = #"{"protocolVersion":1,"clientCapabilities":{}}"#

    @discardableResult
    func initialize() throws -> JSONValue { try wire.call("initialize", Self.hello) }

    /// Opens a session and returns its id.
    func newSession(_ home: BridgeHome) throws -> String {
        let answer = try wire.call("session/new", #"{"cwd":"\#(home.path)","mcpServers":[]}"#)
        return answer["result"]?["sessionId"]?.stringValue ?? "\(answer.rawString)"
    }

    static func prompt(_ session: String, _ text: String, queue: Bool = false) -> String {
        let meta = queue ? #","_meta":{"tinyvex":{"queue":true}}"# : ""
        return #"{"sessionId":"\#(session)","prompt":[{"type":"text","text":"\#(text)"}]\#(meta)}"#
    }

    /// Sends a request with an id that the test chooses.
    func ask(_ id: String, _ method: String, _ params: String) throws {
        try wire.send(Self.request(id, method, params))
    }

    /// Joins the session of the URL as the request `n`, and sends another request at once.
    func join(_ params: String, andAsk id: String, _ method: String, _ others: String) throws {
        try wire.send(Self.request("n", "session/new", params), Self.request(id, method, others))
    }

    private static func request(_ id: String, _ method: String, _ params: String) -> String {
        #"{"jsonrpc":"2.0","id":"\#(id)","method":"\#(method)","params":\#(params)}"#
    }

    func notify(_ method: String, _ params: String) throws {
        try wire.send(#"{"jsonrpc":"2.0","method":"\#(method)","params":\#(params)}"#)
    }

    func answer(_ request: JSONValue, _ result: String) throws {
        try wire.send(#"{"jsonrpc":"2.0","id":\#(request["id"]?.rawString ?? "null"),"result":\#(result)}"#)
    }

    /// Returns all messages up to and including the answer to a request.
    func messages(untilAnswerTo id: String) throws -> [JSONValue] {
        var messages: [JSONValue] = []
        while true {
            let message = try JSONValue(validating: try wire.nextMessage())
            messages.append(message)
            if message["id"]?.stringValue == id, message["method"] == nil { return messages }
        }
    }
}

extension [JSONValue] {
    func named(_ method: String) -> [JSONValue] { filter { $0["method"]?.stringValue == method } }
}
