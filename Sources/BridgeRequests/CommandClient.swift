import JSONScan
import LocalBridge
import TerminalIO
import TerminalText
import Tinyvex
import TinyvexMachine
import TinyvexSockets
import TinyvexSync
import TinyvexTransport

/// Sends a command's requests to a bridge.
package struct CommandClient: Sendable {
    package private(set) var sync: SyncClient
    package let loop: ClientLoop
    let endpoint: Endpoint
    let showsToken: Bool
    /// For the check whether the bridge has ended.
    let watch: BridgeWatch
    private let connect: @Sendable () -> SyncClient

    /// - Parameter connect: Makes a client that connects when it is used.
    init(
        loop: ClientLoop, endpoint: Endpoint, showsToken: Bool, connect: @escaping @Sendable () -> SyncClient
    ) {
        (self.loop, self.endpoint, self.showsToken, self.connect) = (loop, endpoint, showsToken, connect)
        sync = connect()
        watch = BridgeWatch(sync)
    }

    /// Continues with a new connection to the same bridge, and closes the present one, also for copies of this client.
    package mutating func replaceConnection() {
        let earlier = sync
        sync = connect()
        // The check of the bridge ends with the connection that it watches, unless there is another one by then.
        watch.connection = sync
        earlier.close()
    }

    /// The command is about the session with this id from now on. If the bridge ends, the error names it.
    package func isAbout(_ session: String) { watch.session = "\(Table.cell(session))" }

    /// Whether the bridge can be reached at the moment.
    package var isConnected: Bool { sync.connectionState == .connected }

    /// For a message about work that begins at once, or when the bridge can be reached again.
    package var whenReached: TerminalText { isConnected ? "" : " when the bridge can be reached again" }

    /// Sends a request that can be repeated after a lost connection.
    package func call(_ method: String, _ params: (inout JSONWriter) -> Void) async throws(BridgeFailure) -> JSONValue {
        try await answer(to: .request(method, params: JSONWriter.object(params), isIdempotent: true))
    }

    /// The role of this client; nil if it has none.
    package func role() async throws(BridgeFailure) -> Role? {
        // Repeats the features that the engine announced, because this request replaces them for the connection.
        let answer = try await call("tinyvex/connect") { writer in
            writer.memberObject("features") { $0.member("chunks", true) }
        }
        return answer["role"]?.stringValue.flatMap(Role.init)
    }

    /// Runs a mutation exactly once, even if the request is sent several times.
    package func mutation(_ name: String, args: [UInt8]) async throws(BridgeFailure) {
        _ = try await answer(to: .mutation(name, args: args, requestId: Self.newRequestId()))
    }

    /// A request id that no other call uses.
    package static func newRequestId() -> String {
        let words = [UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max)]
        return words.map { String($0, radix: 16) }.joined(separator: "-")
    }

    /// Returns the answer's `value`, or nil if the answer has none.
    ///
    /// - Parameter args: an object as JSON text.
    package func action(_ name: String, args: [UInt8] = Array("{}".utf8)) async throws(BridgeFailure) -> JSONValue? {
        let call = Call.action(name, args: args, isIdempotent: false)
        return try await answer(to: call)["value"]
    }

    /// Returns the current value of a named query.
    ///
    /// - Parameters:
    ///   - cursor: the cursor of the previous page, to continue a list.
    ///   - params: the query's other params.
    package func value(
        _ name: String, cursor: String? = nil, params: (inout JSONWriter) -> Void = { _ in }
    ) async throws(BridgeFailure) -> JSONValue {
        let params = JSONWriter.object { writer in
            params(&writer)
            writer.member("cursor", ifPresent: cursor)
        }
        var values = sync.values(name, params: params).makeAsyncIterator()
        do throws(TinyvexError) {
            guard let value = try await values.next() else { throw TinyvexError.closed }
            if let json = try? JSONValue(validating: value.text) { return json }
        } catch {
            throw failure(error)
        }
        throw failure(.transport(.notWebSocket(reason: "a value is not JSON")))
    }

    /// Passes each running agent to `body`, page by page, until `body` returns false.
    package func eachRunningAgent(_ body: (JSONValue) -> Bool) async throws(BridgeFailure) {
        var cursor: String?
        repeat {
            let page = try await value("agents:list", cursor: cursor)
            for agent in page["running"]?.elements ?? [] where !body(agent) { return }
            cursor = page["nextCursor"]?.stringValue
        } while cursor != nil
    }

    private func answer(to call: Call) async throws(BridgeFailure) -> JSONValue {
        do throws(TinyvexError) {
            return try await sync.call(call)
        } catch {
            throw failure(error)
        }
    }

    package func failure(_ error: TinyvexError) -> BridgeFailure {
        BridgeFailure(error: error, endpoint: endpoint, showsToken: showsToken)
    }
}

/// An error between a command and its bridge, with a hint about the remedy.
package struct BridgeFailure: Error, CustomStringConvertible {
    package let error: TinyvexError
    let endpoint: Endpoint
    let showsToken: Bool

    /// No bridge accepts connections at the address.
    package var isUnreachable: Bool { if case .transport(.unreachable) = error { true } else { false } }

    /// No answer came before the deadline.
    package var isTimeout: Bool { if case .transport(.timedOut) = error { true } else { false } }

    /// The connection was established and then ended.
    var isEndOfConnection: Bool {
        switch error {
        case .outcomeUnknown, .transport(.closed), .transport(.lost): true
        default: false
        }
    }

    package var description: String {
        switch error {
        case .unauthorized:
            showsToken
                ? "the bridge rejected the token; its own token is in the file `token` in its configuration folder"
                : "the bridge requires a token: use --token-file FILE or set ACPBRIDGE_TOKEN"
        case .server(let code, let message, _): code.hasPrefix("TVX") ? "\(message) (\(code))" : message
        case .transport(let failure): description(failure)
        default: error.description
        }
    }

    private static let pathAdvice =
        "a bridge's address has no path, or behind a proxy the path of its page with a slash, as in wss://HOST/base/"

    private func description(_ failure: TransportFailure) -> String {
        switch failure {
        case .unreachable(let reason): "no bridge answers at \(endpoint) (\(reason))"
        case .untrusted(let reason): "\(reason). \(DaemonStart.ownFolderAdvice)"
        case .timedOut: "the bridge at \(endpoint) did not answer in time"
        case .insecure(let reason):
            "no secure connection to \(endpoint): \(reason); to trust the bridge's own certificate, use --ca-file"
        case .refused(200..<400, _):
            "the server at \(endpoint) answers this path with something else; \(Self.pathAdvice)"
        case .refused(404, let reason): "the server at \(endpoint) has no such path (\(reason)); \(Self.pathAdvice)"
        case .refused(let status, let reason): "the bridge refused the connection (\(status)): \(reason)"
        case .notWebSocket(let reason): "the server at \(endpoint) is not acpbridge: \(reason)"
        case .closed(code: 1001, _): "the bridge was stopped"
        case .closed, .lost: "the connection to the bridge was lost"
        default: failure.description
        }
    }
}
