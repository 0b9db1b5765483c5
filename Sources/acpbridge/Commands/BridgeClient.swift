import JSONScan
import Tinyvex
import TinyvexSync

/// What a command asks a bridge with.
struct BridgeClient: Sendable {
    let sync: SyncClient
    let loop: ClientLoop
    let endpoint: Endpoint
    let showsToken: Bool

    /// A request that may be repeated when the connection is lost.
    func call(_ method: String, _ params: (inout JSONWriter) -> Void) async throws(BridgeFailure) -> JSONValue {
        try await answer(to: .request(method, params: JSONWriter.object(params), isIdempotent: true))
    }

    /// What this client may do; nil: nothing.
    func role() async throws(BridgeFailure) -> Role? {
        // The engine's own words are said again: they count for the connection.
        let answer = try await call("tinyvex/connect") { writer in
            writer.memberObject("features") { $0.member("chunks", true) }
        }
        return answer["role"]?.stringValue.flatMap(Role.init)
    }

    /// Done once, however often it has to be asked.
    func mutation(_ name: String, args: [UInt8]) async throws(BridgeFailure) {
        _ = try await answer(to: .mutation(name, args: args, requestId: Self.newRequestId()))
    }

    /// One that no other call has.
    private static func newRequestId() -> String {
        let words = [UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max)]
        return words.map { String($0, radix: 16) }.joined(separator: "-")
    }

    /// The answer's `value`; nil where it has none.
    ///
    /// - Parameter args: an object as JSON text.
    func action(_ name: String, args: [UInt8] = Array("{}".utf8)) async throws(BridgeFailure) -> JSONValue? {
        let call = Call.action(name, args: args, requestId: name, isIdempotent: false)
        return try await answer(to: call)["value"]
    }

    /// The value of a named query, as it is now.
    func value(_ name: String) async throws(BridgeFailure) -> JSONValue {
        var values = sync.values(name, params: Array("{}".utf8)).makeAsyncIterator()
        do throws(TinyvexError) {
            guard let value = try await values.next() else { throw TinyvexError.closed }
            if let json = try? JSONValue(validating: value.text) { return json }
        } catch {
            throw failure(error)
        }
        throw failure(.transport(.notWebSocket(reason: "a value is not JSON")))
    }

    private func answer(to call: Call) async throws(BridgeFailure) -> JSONValue {
        do throws(TinyvexError) {
            return try await sync.call(call)
        } catch {
            throw failure(error)
        }
    }

    func failure(_ error: TinyvexError) -> BridgeFailure {
        BridgeFailure(error: error, endpoint: endpoint, showsToken: showsToken)
    }
}

/// What went wrong between a command and its bridge, and who can mend it.
struct BridgeFailure: Error, CustomStringConvertible {
    let error: TinyvexError
    let endpoint: Endpoint
    let showsToken: Bool

    /// Nobody answers there.
    var isUnreachable: Bool { if case .transport(.unreachable) = error { true } else { false } }

    /// No answer came before the deadline.
    var isTimeout: Bool { if case .transport(.timedOut) = error { true } else { false } }

    /// The connection was there, and ended.
    var isEndOfConnection: Bool {
        switch error {
        case .outcomeUnknown, .transport(.closed), .transport(.lost): true
        default: false
        }
    }

    var description: String {
        switch error {
        case .unauthorized:
            showsToken
                ? "the bridge has another token than the one it was shown; its own is in its configuration folder, in `token`"
                : "the bridge wants a token: give the file that holds it with --token-file, or ACPBRIDGE_TOKEN"
        case .server(let code, let message, _): code.hasPrefix("TVX") ? "\(message) (\(code))" : message
        case .transport(let failure): description(failure)
        default: error.description
        }
    }

    private func description(_ failure: TransportFailure) -> String {
        switch failure {
        case .unreachable(let reason): "no bridge answers at \(endpoint) (\(reason))"
        case .timedOut: "no bridge answers at \(endpoint) in time"
        case .insecure(let reason):
            "no secure connection to \(endpoint): \(reason); a certificate of the bridge's own can be trusted with --ca-file"
        case .refused(let status, let reason): "the bridge refused the connection (\(status)): \(reason)"
        case .notWebSocket(let reason): "what answers there is no acpbridge: \(reason)"
        case .closed(code: 1001, _): "the bridge was stopped"
        case .closed, .lost: "the connection to the bridge was lost"
        default: failure.description
        }
    }
}
