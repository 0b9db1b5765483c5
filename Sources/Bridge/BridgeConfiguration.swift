import Access
import AgentProcess
import Agents
import Connections
import EventLoop
import Functions
import HubSharing
import Notifications
import PeerSharing
import PermissionRules
import Posix
import SessionRecords
import TraceDelivery
import WebSocket

/// The configuration of a bridge.
package struct BridgeConfiguration: Sendable {
    package var home: Home
    package var version: String
    package var durability: Durability = .normal
    /// The addresses to listen on in addition to the Unix socket; empty for none.
    package var listenAddresses: [SocketAddress] = []
    /// The addresses were chosen by the user. Otherwise they are defaults, which a bridge with passed sockets ignores.
    package var hasChosenAddresses = false
    /// Sockets that a service manager listens on. The bridge never deletes or replaces them.
    package var passedSockets: [PassedSocket] = []
    /// If it is set, all clients that connect over TCP must use TLS.
    package var certificate: CertificateFiles?
    /// Use any free port if the requested port is in use.
    package var mayTakeAnotherPort = false
    /// Wait for a bridge on the same home that is about to end, instead of failing immediately.
    package var waitsForPredecessor = false
    /// Origins from which a browser can connect, in the spelling of the browser: `https://example.org`.
    package var allowedOrigins: Set<String> = []
    /// Host names, in addition to the loopback names, that clients can use in requests over TCP; without a port.
    package var allowedHosts: Set<String> = []
    /// The address at the proxy in front of the bridge; nil if it is not known.
    package var publicAddress: PublicAddress?
    /// The proxies whose `X-Forwarded-For` is believed.
    package var forwardedFor = ForwardedFor()
    /// The clients to which WebSocket messages are sent compressed, if they request compression.
    package var compression = Compression.never
    /// False for a bridge that starts no agents.
    package var startsAgents = true
    /// The service manager has delegated the control group of this process to it.
    package var hasDelegatedGroup = false
    /// The agents that can be started by name. Read again for each request.
    package var profiles: @Sendable () -> [ProfileSummary] = { [] }
    /// The issuers of tokens that are accepted in addition to the bridge's own tokens.
    package var issuers: IssuerKeys?
    /// The URL of a key set of these issuers. Nil: none is fetched.
    package var issuerKeySet: String?
    package var limits = Limits()
    /// The default permission timeout while no client is attached. Used if the agent's stdio shim has not set one. Nil:
    /// no timeout.
    package var permissionLimit: Duration?
    /// The rules that answer permission requests.
    package var permissionRules = PermissionRules()
    /// The limits of agents without limits in their profiles.
    package var processLimits = ProcessLimits()
    /// The rules for deleting sessions automatically. Nil: none are deleted.
    package var retention: RetentionPolicy?
    /// Keep a full-text index of the sessions.
    package var isSearchable = true
    /// The rules of notifications.
    package var notifications = NotificationSettings()
    /// The minimum time for which full files of the audit log are kept. Nil: only the newest is kept.
    package var auditRetention: Duration?
    /// The collector of traces. Nil: no traces are sent.
    package var traces: TraceSettings?
    /// The collector to which agents send telemetry of their own. Nil: their environment is not changed.
    package var agentTelemetry: AgentTelemetry?
    /// The database that several bridges share. Nil: none.
    package var hub: HubSettings?
    /// The log is shipped to the hub.
    package var shipsToHub = true
    /// The words of shipped sessions are stored at the hub, for searches.
    package var sharesSearch = false
    /// Readers are sent updates only when the hub has them.
    package var confirmsAtHub = false
    /// The sessions of other bridges are read from the hub.
    package var readsHub = false
    /// The bridges whose sessions are shown. Empty if the hub is read.
    package var peers: [PeerSettings] = []
    /// Called on the loop with a sentence for the user who runs the bridge.
    package var warn: @Sendable (String) -> Void = { _ in }
    /// This program's own arguments and environment, for the program that replaces it.
    package var arguments: [SystemString] = []
    package var environment: [SystemString] = []
    /// The soft limit on core files for agents and for the next program. Nil: the limit of this process.
    package var coreLimit: CoreDumps.Limit?
    /// Returns the launch request for an agent that a client names. Called on the loop.
    package var agentNamed: @Sendable (String) throws(AgentUnavailable) -> LaunchRequest = {
        (name) throws(AgentUnavailable) in
        throw AgentUnavailable("there is no agent \"\(name)\"")
    }

    package init(home: Home, version: String) {
        self.home = home
        self.version = version
    }
}
