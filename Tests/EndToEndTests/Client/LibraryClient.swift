import EventLoop
import Foundation
import Posix
import Testing
import TinyvexClient

extension BridgeHome {
    /// A client of this home's bridge, over its Unix socket.
    var client: TinyvexClient { TinyvexClient(endpoint: URL(filePath: socket)) }

    /// A client over TCP, connected to the bridge or to a proxy in front of the bridge.
    func client(port: UInt16, token: String?) throws -> TinyvexClient {
        let url = try #require(URL(string: "ws://127.0.0.1:\(port)"))
        var configuration = TinyvexConfiguration(endpoint: url)
        configuration.sync.shortestDelay = .milliseconds(1)
        return TinyvexClient(configuration: configuration, authToken: token)
    }

    /// The token that the bridge made for itself.
    var ownToken: String {
        get throws {
            let text = String(decoding: try #require(FileBytes.read(token)), as: UTF8.self)
            return String(text.prefix { !$0.isWhitespace })
        }
    }
}

extension ACP.SessionUpdate {
    /// The text of a text chunk.
    var text: String? {
        guard case .agentMessageChunk(let chunk) = self, case .text(let content) = chunk.content else { return nil }
        return content.text
    }
}

/// Reads `values` until one of them satisfies `condition`.
func first<Sequence: AsyncSequence>(
    _ values: Sequence, _ claim: String, where condition: (Sequence.Element) throws -> Bool
) async throws -> Sequence.Element {
    for try await value in values where try condition(value) { return value }
    throw Overdue(claim)
}
