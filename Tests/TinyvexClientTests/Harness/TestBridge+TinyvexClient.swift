@_exported import BridgeStandIn
import Foundation

#if TINYVEX_PORTABLE
    import TinyvexClientPortable
#else
    import TinyvexClient
#endif

extension TestBridge {
    /// A client of this bridge.
    func client(authToken: String? = nil) -> TinyvexClient {
        TinyvexClient(configuration: Self.clientConfiguration, authToken: authToken, transport: transport)
    }

    static let url = URL(filePath: "/test")

    static var clientConfiguration: TinyvexConfiguration {
        var client = TinyvexConfiguration(endpoint: url)
        client.sync = configuration
        return client
    }

    /// Accepts each subscription and sends these values on it.
    static func pushing(_ values: String...) -> TestBridge {
        TestBridge { method, params, peer in
            guard method == "tinyvex/subscribe", let subId = params?["subId"]?.rawString else { return "{}" }
            return .init(#"{"accepted":true,"resumed":false,"startSeq":1,"journal":""}"#) {
                for (index, value) in values.enumerated() {
                    try await peer.send(.data(subId, index + 1, value))
                }
            }
        }
    }

    /// Has these updates of the session `s` as whole lines, and sends those after the requested number.
    static func session(_ updates: String...) -> TestBridge {
        TestBridge { method, params, peer in
            guard method == "tinyvex/subscribe" else { return "{}" }
            let last = Int(params?["lastSeq"]?.int64Value ?? 0)
            return .init(
                #"{"accepted":true,"resumed":true,"startSeq":\#(last + 1),"headSeq":\#(updates.count),"journal":"j"}"#
            ) {
                for update in updates.dropFirst(last) { try await peer.send(update) }
            }
        }
    }
}

/// A line of the session `s`.
func line(_ update: String) -> String {
    #"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":\#(update)}}"#
}

func chunk(_ text: String) -> String {
    line(#"{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"\#(text)"}}"#)
}
