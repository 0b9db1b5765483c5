import ACP
import JSONCoding

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The value of `agents:list`.
public struct AgentList: Codable, Hashable, Sendable {
    /// The agents that can be started.
    public var profiles: [AgentRow]
    public var running: [RunningAgentRow]
    /// The bridges at which sessions can begin, the one that answers first; nil if there are no others.
    public var bridges: [BridgePlaceRow]?
    /// The `cursor` of the next page of running agents; nil on the last one.
    public var nextCursor: String?
}

/// A bridge at which sessions can begin.
public struct BridgePlaceRow: Codable, Hashable, Sendable {
    /// The `bridge` of `sessions:begin` and of `agents:list`.
    public var name: String
    /// True for the bridge that answers; nil otherwise.
    public var own: Bool?
    /// Since when it cannot be reached; nil while it can.
    public var unreachableTs: Date?
}

/// An agent that can be started.
public struct AgentRow: Codable, Hashable, Sendable, Identifiable {
    public var name: String
    /// The name for people.
    public var title: String
    /// The program and its arguments.
    public var command: [String]
    /// The program was found on the bridge's machine.
    public var installed: Bool
    public var homepage: String?
    /// A command that installs the agent.
    public var install: String?

    public var id: String { name }
}

/// A running agent.
public struct RunningAgentRow: Codable, Hashable, Sendable, Identifiable {
    public var name: String
    public var pid: Int
    public var startedTs: Date
    public var residentBytes: Int64
    /// Ids of its sessions.
    public var sessions: [ACPSessionId]
    /// The number of further sessions; nil for none.
    public var omittedSessions: Int?
    /// The end of its standard error, at most 4 KiB.
    public var stderrTail: String
    /// `editor`, or the client that answers in its place; nil for none.
    public var primary: String?
    /// True until the agent has opened the session of `sessions:begin` or `sessions:resume`; nil otherwise.
    public var starting: Bool?

    public var id: Int { pid }
}

/// The value of `bridge:status`.
public struct BridgeState: Codable, Hashable, Sendable {
    public var version: String
    public var pid: Int
    public var startedTs: Date
    public var uptimeSeconds: Int64
    public var residentBytes: Int64
    /// The path of the bridge's Unix socket.
    public var socket: String
    /// The addresses of its TCP listeners.
    public var urls: [String]
    /// The names by which it can be reached.
    public var hosts: [String]?
    /// The address at which others reach it through a proxy; nil without one.
    public var publicUrl: String?
    /// The limits of an agent hold for all of its processes together; nil for older bridges.
    public var limitsWholeAgents: Bool?
    /// The path of the session log.
    public var log: String
    /// `normal`, `full` or `hub`.
    public var durability: String
    public var agents: Int
    public var liveSessions: Int
    public var runningTurns: Int
    public var backgroundItems: Int
    public var childSessions: Int
    public var pendingRequests: Int
    /// The sessions among ``liveSessions`` whose agent has ended and whose end is not stored yet; nil for none.
    public var endingSessions: Int?
    public var connections: Int
    public var subscriptions: Int
    /// The number of subscriptions that have not received everything.
    public var behind: Int
    public var watchedValues: Int
    /// Bytes that wait for the disk.
    public var unstoredBytes: Int64
    /// Lines that were not published and not stored since the start.
    public var unpublishedLines: Int64
    public var unstoredLines: Int64
    /// The path of a damaged log that was replaced.
    public var damagedLog: String?
    /// Sentences for the operator; nil for none.
    public var warnings: [String]?
    /// The error of the last write; nil while the log can be written.
    public var logError: String?
    /// The index of the full-text search; nil for bridges without one.
    public var search: Search?
    /// The database to which the bridge ships its log; nil for none.
    public var hub: Hub?
    /// The connection that reads the sessions of other bridges from a hub; nil for none.
    public var hubReader: HubReader?
    /// The bridges whose sessions this bridge shows; nil for none.
    public var peers: [Peer]?

    /// The connection to another bridge.
    public struct Peer: Codable, Hashable, Sendable {
        /// The address, without secrets.
        public var url: String
        /// The name in lists.
        public var name: String
        /// `connecting`, `online` or `failed`.
        public var state: String
        /// The reason; nil unless failed.
        public var error: String?
        /// The time at which the bridge could no longer be reached; nil while it can.
        public var unreachableTs: Date?
        /// The number of its listed sessions.
        public var sessions: Int
    }

    /// The connection to a hub that shows the sessions of other bridges.
    public struct HubReader: Codable, Hashable, Sendable {
        /// Server and database, without user and password.
        public var place: String
        /// `connecting`, `online` or `failed`.
        public var state: String
        /// The reason; nil unless failed.
        public var error: String?
        /// Requests to other bridges without an answer; nil for older bridges.
        public var waitingCommands: Int?
    }

    /// Requests of viewers for the sessions of the bridge.
    public struct Commands: Codable, Hashable, Sendable {
        /// `none`, `jwt` or `all`.
        public var accepts: String
        /// Requests that run.
        public var running: Int
        /// Requests that were answered since the start of the bridge.
        public var answered: Int
        /// The reason why no requests can be taken or answered; nil if they can.
        public var error: String?
    }

    /// The state of the index of the full-text search.
    public struct Search: Codable, Hashable, Sendable {
        public var state: String
        /// Sessions that are in the index, of `total`, while it is built.
        public var done: Int?
        public var total: Int?
        public var documents: Int?
        /// The size of the index.
        public var bytes: Int64?
        public var error: String?
    }

    /// The state of the shipping of the log to a database.
    public struct Hub: Codable, Hashable, Sendable {
        /// The database, without its password.
        public var place: String
        /// `connecting`, `current`, `shipping` or `failed`.
        public var state: String
        public var error: String?
        /// Sessions with updates that are not shipped yet.
        public var waitingSessions: Int
        /// Sessions that the database does not accept.
        public var refusedSessions: Int
        public var shippedUpdates: Int64
        public var lastShippedTs: Date?
        /// The database waits for a standby before an update counts as stored; nil unless clients wait for the database.
        public var hasStandby: Bool?
        /// The words that are stored there for searches, since the start of the bridge; nil without `--hub-search`.
        public var search: Search?
        /// Nil for older bridges.
        public var commands: Commands?
    }
}
