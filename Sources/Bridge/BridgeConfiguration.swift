import Access
import AgentProcess
import Agents
import Connections
import EventLoop
import HubSharing
import LogRetention
import Notifications
import PeerSharing
import PermissionRules
import Posix
import SessionRecords
import TraceDelivery
import WebSocket

/// The configuration of a bridge. Its parts have no default values, so that none can be forgotten.
package struct BridgeConfiguration: Sendable {
    package let home: Home
    package let program: Program
    package let limits: Limits
    package let listening: Listening
    package let access: ClientAccess
    package let agents: AgentStarts
    package let log: LogKeeping
    package let sharing: Sharing
    /// The rules of notifications.
    package let notifications: NotificationSettings
    /// The collector of traces. Nil: no traces are sent.
    package let traces: TraceSettings?
    /// Called on the loop with a sentence for the user who runs the bridge.
    package let warn: @Sendable (String) -> Void

    package init(
        home: Home, program: Program, limits: Limits, listening: Listening, access: ClientAccess, agents: AgentStarts,
        log: LogKeeping, sharing: Sharing, notifications: NotificationSettings, traces: TraceSettings?,
        warn: @escaping @Sendable (String) -> Void
    ) {
        self.home = home
        self.program = program
        self.limits = limits
        self.listening = listening
        self.access = access
        self.agents = agents
        self.log = log
        self.sharing = sharing
        self.notifications = notifications
        self.traces = traces
        self.warn = warn
    }

    /// This process's program, and what it passes on to the program that replaces it.
    package struct Program: Sendable {
        package let version: String
        package let arguments: [SystemString]
        package let environment: [SystemString]
        /// The soft limit on core files for agents and for the next program. Nil: the limit of this process.
        package let coreLimit: CoreDumps.Limit?

        package init(
            version: String, arguments: [SystemString], environment: [SystemString], coreLimit: CoreDumps.Limit?
        ) {
            self.version = version
            self.arguments = arguments
            self.environment = environment
            self.coreLimit = coreLimit
        }
    }

    /// Where the bridge listens.
    package struct Listening: Sendable {
        /// The addresses to listen on in addition to the Unix socket; empty for none.
        package let addresses: [SocketAddress]
        /// The addresses were chosen by the user. Otherwise they are defaults, which a bridge with passed sockets ignores.
        package let hasChosenAddresses: Bool
        /// Sockets that a service manager listens on. The bridge never deletes or replaces them.
        package let passedSockets: [PassedSocket]
        /// If it is set, all clients that connect over TCP must use TLS.
        package let certificate: CertificateFiles?
        /// Take another port if the requested one is 0 or in use: the home's last one, or one that the system chooses. It is
        /// stored for the next start.
        package let mayTakeAnotherPort: Bool
        /// Wait for a bridge on the same home that is about to end, instead of failing immediately.
        package let waitsForPredecessor: Bool

        package init(
            addresses: [SocketAddress], hasChosenAddresses: Bool, passedSockets: [PassedSocket],
            certificate: CertificateFiles?, mayTakeAnotherPort: Bool, waitsForPredecessor: Bool
        ) {
            self.addresses = addresses
            self.hasChosenAddresses = hasChosenAddresses
            self.passedSockets = passedSockets
            self.certificate = certificate
            self.mayTakeAnotherPort = mayTakeAnotherPort
            self.waitsForPredecessor = waitsForPredecessor
        }
    }

    /// How clients reach the bridge, and whose tokens it accepts.
    package struct ClientAccess: Sendable {
        /// Origins from which a browser can connect, in the spelling of the browser: `https://example.org`.
        package let allowedOrigins: Set<String>
        /// Host names, in addition to the loopback names, that clients can use in requests over TCP; without a port.
        package let allowedHosts: Set<String>
        /// The address at the proxy in front of the bridge; nil if it is not known.
        package let publicAddress: PublicAddress?
        /// The proxies whose `X-Forwarded-For` is believed.
        package let forwardedFor: ForwardedFor
        /// The clients to which WebSocket messages are sent compressed, if they request compression.
        package let compression: Compression
        /// The issuers of tokens that are accepted in addition to the bridge's own tokens.
        package let issuers: IssuerKeys?
        /// The URL of a key set of these issuers. Nil: none is fetched.
        package let issuerKeySet: String?

        package init(
            allowedOrigins: Set<String>, allowedHosts: Set<String>, publicAddress: PublicAddress?,
            forwardedFor: ForwardedFor, compression: Compression, issuers: IssuerKeys?, issuerKeySet: String?
        ) {
            self.allowedOrigins = allowedOrigins
            self.allowedHosts = allowedHosts
            self.publicAddress = publicAddress
            self.forwardedFor = forwardedFor
            self.compression = compression
            self.issuers = issuers
            self.issuerKeySet = issuerKeySet
        }
    }

    /// How agents are started.
    package struct AgentStarts: Sendable {
        /// False for a bridge that starts no agents.
        package let areAllowed: Bool
        /// The service manager has delegated the control group of this process to it.
        package let hasDelegatedGroup: Bool
        /// The default permission timeout while no client is attached. Used if the agent's stdio shim has not set one. Nil:
        /// no timeout.
        package let permissionLimit: Duration?
        /// The rules that answer permission requests.
        package let permissionRules: PermissionRules
        /// The limits of agents without limits in their profiles.
        package let processLimits: ProcessLimits
        /// The collector to which agents send telemetry of their own. Nil: their environment is not changed.
        package let telemetry: AgentTelemetry?
        /// The agents that can be started by name. Read again for each request.
        package let profiles: @Sendable () -> [ProfileSummary]
        /// Returns the launch request for an agent that a client names. Called on the loop.
        package let agentNamed: @Sendable (String) throws(AgentUnavailable) -> LaunchRequest

        package init(
            areAllowed: Bool, hasDelegatedGroup: Bool, permissionLimit: Duration?, permissionRules: PermissionRules,
            processLimits: ProcessLimits, telemetry: AgentTelemetry?,
            profiles: @escaping @Sendable () -> [ProfileSummary],
            agentNamed: @escaping @Sendable (String) throws(AgentUnavailable) -> LaunchRequest
        ) {
            self.areAllowed = areAllowed
            self.hasDelegatedGroup = hasDelegatedGroup
            self.permissionLimit = permissionLimit
            self.permissionRules = permissionRules
            self.processLimits = processLimits
            self.telemetry = telemetry
            self.profiles = profiles
            self.agentNamed = agentNamed
        }
    }

    /// How sessions and the audit log are kept.
    package struct LogKeeping: Sendable {
        package let durability: Durability
        /// The rules for deleting sessions automatically. Nil: none are deleted.
        package let retention: RetentionPolicy?
        /// Keep a full-text index of the sessions.
        package let isSearchable: Bool
        /// The minimum time for which full files of the audit log are kept. Nil: only the newest is kept.
        package let auditRetention: Duration?

        package init(
            durability: Durability, retention: RetentionPolicy?, isSearchable: Bool, auditRetention: Duration?
        ) {
            self.durability = durability
            self.retention = retention
            self.isSearchable = isSearchable
            self.auditRetention = auditRetention
        }
    }

    /// How the bridge shares sessions with other bridges.
    package struct Sharing: Sendable {
        /// The database that several bridges share. Nil: none.
        package let hub: HubSettings?
        /// The log is shipped to the hub.
        package let shipsToHub: Bool
        /// The words of shipped sessions are stored at the hub, for searches.
        package let sharesSearch: Bool
        /// Readers are sent updates only when the hub has them.
        package let confirmsAtHub: Bool
        /// The sessions of other bridges are read from the hub.
        package let readsHub: Bool
        /// The bridges whose sessions are shown. Empty if the hub is read.
        package let peers: [PeerSettings]

        package init(
            hub: HubSettings?, shipsToHub: Bool, sharesSearch: Bool, confirmsAtHub: Bool, readsHub: Bool,
            peers: [PeerSettings]
        ) {
            self.hub = hub
            self.shipsToHub = shipsToHub
            self.sharesSearch = sharesSearch
            self.confirmsAtHub = confirmsAtHub
            self.readsHub = readsHub
            self.peers = peers
        }
    }
}
