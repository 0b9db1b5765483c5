import Access
import WebSocket

/// Whether the bridge agrees to permessage-deflate. Compression reduces the output of agents to a fifth. It costs about
/// thirty times the time of sending the output uncompressed, separately for each client, so it is for slow networks.
package enum Compression: Sendable {
    case never
    /// For clients on other machines.
    case remote
    /// For all clients, for example if a proxy makes remote clients look like local ones.
    case always

    /// The terms that a bridge agrees to. A window of 4 KiB holds a dozen updates, which are much alike, and costs 32
    /// KiB for each client instead of 256 KiB. Clients send little, so keeping their context would not pay off.
    static let terms = PermessageDeflate.Terms(windowBits: 8...12, letsClientsKeepContext: false)
    /// The memory level of a compressor with this window.
    static let memoryLevel: Int32 = 5

    package func terms(for peer: Peer) -> PermessageDeflate.Terms? {
        switch self {
        case .never: nil
        case .remote: peer.address.map { !$0.isLoopback } == true ? Self.terms : nil
        case .always: Self.terms
        }
    }
}
