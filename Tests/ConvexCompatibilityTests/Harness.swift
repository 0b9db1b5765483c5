import BridgeStandIn
import ConvexCompatibilityPortable
import Foundation
import JSONScan
import Synchronization
import TinyvexClientPortable

/// A deployment in the test's process that answers each function with a fixed value.
final class Deployment: Sendable {
    let bridge: TestBridge
    private let record: Record

    private final class Record: Sendable {
        let calls = Mutex<[String]>([])
    }

    /// - Parameter values: The value of each function, as JSON.
    init(_ values: [String: String]) {
        let record = Record()
        self.record = record
        bridge = TestBridge { method, params, peer in
            let (name, args) = (Self.name(params), params?["args"] ?? params?["params"])
            record.calls.withLock { $0.append("\(name) \(args?.rawString ?? "{}")") }
            guard let value = values[name] else { return #"{"value":null}"# }
            guard method == "tinyvex/subscribe", let subId = params?["subId"]?.rawString else {
                return "{\"value\":\(value)}"
            }
            return .init(#"{"accepted":true,"resumed":false,"startSeq":1,"journal":""}"#) {
                try await peer.send(.data(subId, 1, value))
            }
        }
    }

    private static func name(_ params: JSONValue?) -> String {
        params?["name"]?.stringValue ?? params?["stream"]?.stringValue ?? ""
    }

    /// The functions that were called, each with its arguments.
    var calls: [String] { record.calls.withLock { $0.filter { !$0.hasPrefix(" ") } } }

    var configuration: TinyvexConfiguration {
        var configuration = TinyvexConfiguration(endpoint: URL(filePath: "/test"))
        configuration.sync = TestBridge.configuration
        return configuration
    }

    var convex: ConvexClient {
        ConvexClient(TinyvexClient(configuration: configuration, transport: bridge.transport))
    }

    func convex<Provider: AuthProvider>(signingInWith provider: Provider) -> ConvexClientWithAuth<Provider.Identity> {
        ConvexClientWithAuth(
            TinyvexClientWithAuth(
                configuration: configuration, authProvider: provider, transport: bridge.transport))
    }
}

/// A deployment with functions that fail.
func failing(_ error: String) -> ConvexClient {
    let transport = InProcessTransport { peer in
        while let text = try? await peer.receive(), let message = try? JSONValue(validating: text) {
            guard let id = message["id"]?.rawString else { continue }
            let isConnect = message["method"]?.stringValue == "tinyvex/connect"
            let answer = isConnect ? #""result":{}"# : "\"error\":\(error)"
            try? await peer.send("{\"jsonrpc\":\"2.0\",\"id\":\(id),\(answer)}")
        }
    }
    var configuration = TinyvexConfiguration(endpoint: URL(filePath: "/test"))
    configuration.sync = TestBridge.configuration
    return ConvexClient(TinyvexClient(configuration: configuration, transport: transport))
}
