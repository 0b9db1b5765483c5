import EventLoop
import JSONRPC
import JSONScan
import Posix

/// A connection to a bridge with blocking calls.
package final class BlockingClient {
    let socket: WebSocketClient
    private var nextId = 1

    package init(_ daemon: BridgeDaemon) throws {
        let fields = daemon.token.map { [(name: "Authorization", value: "Bearer \($0)")] } ?? []
        socket = try WebSocketClient(
            to: daemon.address, path: "/tinyvex", fields: fields, tls: daemon.tls, deflates: daemon.deflates)
        _ = try call("tinyvex/connect") { writer in
            writer.memberObject("client") { writer in
                writer.member("name", "acpbridge-bench")
                writer.member("version", "1")
            }
        }
    }

    package func call(_ method: String, _ params: (inout JSONWriter) -> Void) throws -> JSONValue {
        let message = withoutActuallyEscaping(params) { params in
            MessageText.request(id: RequestID(nextId), method: method, params: params)
        }
        nextId += 1
        try socket.send(message)
        let answer = try JSONValue(validating: socket.nextMessage())
        guard let result = answer["result"] else { throw Refusal(answer["error"]) }
        return result
    }

    /// The bridge returned an error. `code` is its `TVX…` code, if it has one.
    struct Refusal: Error, CustomStringConvertible {
        let code: String?
        let description: String

        init(_ error: JSONValue?) {
            code = error?["data"]?["code"]?.stringValue
            description = "the bridge answered \(error?.rawString ?? "without a result")"
        }
    }
}
