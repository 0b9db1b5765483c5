import AgentProcess
import EventLoop
import SessionLog
import WebSocket

/// What a bridge is run with.
public struct BridgeConfiguration: Sendable {
    public var home: Home
    public var version: String
    public var durability: Durability = .normal
    /// Where to listen beside the Unix socket; empty for nowhere.
    public var listenAddresses: [SocketAddress] = []
    /// With it, whoever connects over TCP does so over TLS.
    public var certificate: CertificateFiles?
    /// Take any free port where the one that was asked for is in use.
    public var mayTakeAnotherPort = false
    /// Wait for a bridge on the same home that is just ending, instead of refusing at once.
    public var waitsForPredecessor = false
    /// Origins that may connect from a browser, as the browser spells them: `https://example.org`.
    public var allowedOrigins: Set<String> = []
    /// Names beside loopback's under which clients may ask over TCP, without a port.
    public var allowedHosts: Set<String> = []
    /// To whom WebSocket messages are sent compressed, if they ask for it.
    public var compression = Compression.never
    /// The agents that can be started by name, read anew each time.
    public var profiles: @Sendable () -> [ProfileSummary] = { [] }
    /// Whose tokens are taken beside the bridge's own.
    public var issuers: IssuerKeys?
    public var limits = Limits()
    /// How long what an agent asks to be allowed waits while nobody has the agent, where its front has not said. Nil:
    /// for ever.
    public var permissionLimit: Duration?
    /// Which sessions are forgotten by themselves. Nil: none.
    public var retention: RetentionPolicy?
    /// Called on the loop with a sentence for the person who runs the bridge.
    public var warn: @Sendable (String) -> Void = { _ in }
    /// This program's own arguments and environment, for one that takes its place.
    public var arguments: [SystemString] = []
    public var environment: [SystemString] = []
    /// How to start an agent that a client names. Called on the loop.
    public var agentNamed: @Sendable (String) throws(AgentUnavailable) -> LaunchRequest = {
        (name) throws(AgentUnavailable) in
        throw AgentUnavailable("no agent is called \"\(name)\" here")
    }

    public init(home: Home, version: String) {
        self.home = home
        self.version = version
    }
}

/// Whether permessage-deflate is agreed to. It makes a fifth of what agents write, and costs some thirty times the
/// time of sending it as it is, for each client anew: it is for slow networks.
public enum Compression: Sendable {
    case never
    /// With clients on other machines.
    case remote
    /// With all, as where a proxy makes remote clients look like local ones.
    case always

    /// What a bridge agrees to: 4 KiB to refer back to hold a dozen updates, which are much alike, and cost 32 KiB a
    /// client in place of 256. Clients say little, so that remembering it would not pay.
    static let terms = PermessageDeflate.Terms(windowBits: 8...12, letsClientsKeepContext: false)
    /// That of a compressor with such a window.
    static let memoryLevel: Int32 = 5

    func terms(for peer: Peer) -> PermessageDeflate.Terms? {
        switch self {
        case .never: nil
        case .remote: peer.address.map { !$0.isLoopback } == true ? Self.terms : nil
        case .always: Self.terms
        }
    }
}

/// Bounds on what others may make a bridge hold.
public struct Limits: Sendable {
    /// A line of an agent or an editor: 64 MiB, since agents send whole files and images. A longer one still passes
    /// between the two, but is not published.
    public var lineBytes = 64 << 20
    /// A client's WebSocket message on `/tinyvex`: 16 MiB, for prompts with images. On `/acp` it is that of a line.
    public var messageBytes = 16 << 20
    /// What a stdio front may send to start an agent: a command and an environment, which Linux itself keeps to 2 MiB.
    public var launchBytes = 4 << 20
    /// Lines of one session that are not stored yet: past it the agent's pipe is left unread.
    public var unstoredBytes = 32 << 20
    /// What is kept of one session's updates, with the entries among them; of more the oldest go. Nil: all.
    public var sessionLogBytes: Int?
    /// The audit log, of which the one before is kept too: 8 MiB hold about 50,000 lines.
    public var auditBytes = 8 << 20
    /// An HTTP request's head: 16 KiB, which a browser's with many cookies stays below.
    public var headBytes = 16 << 10
    /// An HTTP request's body: as large as a message.
    public var bodyBytes = 1 << 20
    /// Connections at once.
    public var connections = 10_000
    /// Of these, from one address over TCP; of IPv6, from one network of 64 bits.
    public var connectionsPerAddress = 4_000
    /// HTTP requests from one address that are no upgrades; as many may come at once.
    public var requestsPerMinute = 600
    /// Sessions of one agent at once: past it a session's updates pass to the editor only.
    public var sessions = 10_000
    /// Agents at once: each is a process or several.
    public var agents = 1_000
    /// Subscriptions on one connection.
    public var subscriptions = 1_000
    /// How long a connection may take to say what it wants.
    public var admission = Duration.seconds(10)
    /// How long a client may be away whose conversation outlives its connections: as long as an agent waits for an
    /// editor.
    public var absence = Duration.seconds(600)

    public init() {}
}
