import JSONRPC
import JSONScan

/// The texts that the machine itself generates.
enum ClientText {
    static func connect(id: Int, _ configuration: SyncConfiguration) -> [UInt8] {
        MessageText.request(id: RequestID(id), method: "tinyvex/connect") { writer in
            writer.memberObject("client") { writer in
                writer.member("name", configuration.clientName)
                writer.member("version", ifPresent: configuration.clientVersion)
            }
            writer.memberObject("features") { $0.member("chunks", true) }
        }
    }

    static func setToken(id: Int, _ token: String?) -> [UInt8] {
        MessageText.request(id: RequestID(id), method: "tinyvex/auth.setToken") { writer in
            if let token { writer.member("token", token) } else { writer.memberNull("token") }
        }
    }

    static func subscribe(id: Int, _ params: SubscribeParams) -> [UInt8] {
        MessageText.request(id: RequestID(id), method: "tinyvex/subscribe") { params.write(to: &$0) }
    }

    static func unsubscribe(id: Int, subId: String) -> [UInt8] {
        MessageText.request(id: RequestID(id), method: "tinyvex/unsubscribe") { $0.member("subId", subId) }
    }

    static func ping(id: Int) -> [UInt8] { MessageText.request(id: RequestID(id), method: "tinyvex/ping") }
}
