import SessionRecords

/// The commands that a bridge accepts from the viewers of its sessions.
package enum CommandPolicy: String, Sendable, CaseIterable {
    /// No commands.
    case none
    /// Commands with a token (JWT) that this bridge accepts itself. The token decides the rights.
    case jwt
    /// All commands. The hub's user of the viewer decides the tenant.
    case all
}

/// A call by a client of a viewer that the bridge of the session must perform.
package struct BridgeCommand: Sendable, Equatable {
    /// A bridge has this time to take the command, by PostgreSQL's clock. A bridge looks once a second at least.
    package static let lifeSeconds: Int64 = 10
    package static let whoLimitBytes = 1 << 10
    /// As long as an HTTP head can be.
    package static let tokenLimitBytes = 16 << 10
    /// 4 MiB, as for all prompts that wait for a session.
    package static let argumentsLimitBytes = 4 << 20

    package enum Kind: String, Sendable { case mutation, action }

    /// Random text that identifies the command.
    package let id: String
    package let session: HubSid
    /// The tenant of the viewer's client; nil for a client that sees all sessions of the viewer.
    package let tenant: String?
    /// The viewer's client, for the audit log: `uid 1000`.
    package let who: String
    /// The client's JWT, if it has one. It is stored only for a bridge that requires it.
    package let token: String?
    package let kind: Kind
    package let name: String
    /// A JSON object that names the session with its journal.
    package let arguments: [UInt8]
    /// The client's own id for the call.
    package let requestId: String?

    package init(
        id: String, session: HubSid, tenant: String?, who: String, token: String?, kind: Kind, name: String,
        arguments: [UInt8], requestId: String?
    ) {
        (self.id, self.session, self.tenant, self.who, self.token) = (id, session, tenant, who, token)
        (self.kind, self.name, self.arguments, self.requestId) = (kind, name, arguments, requestId)
    }
}

extension BridgeCommand: CustomStringConvertible, CustomReflectable {
    /// Without the token and the arguments, which can have a prompt.
    package var description: String { "\(name) (\(id))" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// A command as its session's bridge has taken it.
package struct ReceivedCommand: Sendable, Equatable {
    package let command: BridgeCommand
    /// The hub's user of the viewer. It follows from the viewer's connection to the hub.
    package let sender: String

    package init(_ command: BridgeCommand, sender: String) {
        self.command = command
        self.sender = sender
    }
}

/// The answer of a session's bridge to a command.
package struct CommandAnswer: Sendable, Equatable {
    /// 256 KiB. Answers have some hundred bytes; a longer one is replaced by an error.
    package static let limitBytes = 256 << 10

    /// The command's ``BridgeCommand/id``.
    package let id: String
    /// The outcome, as JSON text.
    package let body: [UInt8]

    package init(id: String, body: [UInt8]) {
        self.id = id
        self.body = body
    }
}

/// The result of the attempt to store a command.
package enum CommandSending: Sendable, Equatable {
    case stored
    /// The lease of the session's bridge has ended. Nothing was stored.
    case unreachable
    /// The session's bridge does not accept the command. Nothing was stored.
    case refused(CommandPolicy)
}

/// A command as its sender finds it at the hub.
package enum CommandSight: Sendable, Equatable {
    /// It waits to be taken.
    case waiting
    /// It was not taken, and will not be: its time is over, or the lease of the session's bridge has ended.
    case late(isReachable: Bool)
    /// The session's bridge has taken it, and runs.
    case taken
    /// The session's bridge has taken it, and its lease has ended.
    case lost
    case answered([UInt8])

    /// - Parameters:
    ///   - isExpired: The time in which the command could be taken is over.
    ///   - isReachable: The bridge's lease has not ended.
    package init(isTaken: Bool, isExpired: Bool, isReachable: Bool, answer: [UInt8]?) {
        if let answer {
            self = .answered(answer)
        } else if isTaken {
            self = isReachable ? .taken : .lost
        } else {
            self = isExpired || !isReachable ? .late(isReachable: isReachable) : .waiting
        }
    }
}
