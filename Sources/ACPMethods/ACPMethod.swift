/// A method of the Agent Client Protocol, version 1 or 2. The raw value is its name on the wire.
///
/// This is the one table of the protocol's methods. Names of extensions, which begin with `_`, are not in it. Methods
/// of proxy chains (`proxy/`) are not in it either, because no schema at hand has them.
///
/// Source: `agentclientprotocol/agent-client-protocol`, schema 1.21.0 and schema 2.0.0-alpha.3, stable and unstable.
/// Facts about version 2 that are newer than alpha.3 come from the protocol's announcements and RFDs of November 2026.
package enum ACPMethod: String, CaseIterable, Sendable {
    // The agent handles these.
    case initialize
    case authenticate
    case logout
    case authLogin = "auth/login"
    case authLogout = "auth/logout"
    case sessionNew = "session/new"
    case sessionLoad = "session/load"
    case sessionResume = "session/resume"
    case sessionFork = "session/fork"
    case sessionList = "session/list"
    case sessionClose = "session/close"
    case sessionDelete = "session/delete"
    case sessionSetMode = "session/set_mode"
    case sessionSetModel = "session/set_model"
    case sessionSetConfigOption = "session/set_config_option"
    case sessionPrompt = "session/prompt"
    case sessionCancel = "session/cancel"
    case toolCallCancel = "tool_call/cancel"
    case terminalCancel = "terminal/cancel"
    case providersList = "providers/list"
    case providersSet = "providers/set"
    case providersDisable = "providers/disable"
    case nesStart = "nes/start"
    case nesSuggest = "nes/suggest"
    case nesClose = "nes/close"
    case nesAccept = "nes/accept"
    case nesReject = "nes/reject"
    case documentDidOpen = "document/didOpen"
    case documentDidChange = "document/didChange"
    case documentDidClose = "document/didClose"
    case documentDidSave = "document/didSave"
    case documentDidFocus = "document/didFocus"

    // The client handles these.
    case sessionUpdate = "session/update"
    case sessionRequestPermission = "session/request_permission"
    case fsReadTextFile = "fs/read_text_file"
    case fsWriteTextFile = "fs/write_text_file"
    case terminalCreate = "terminal/create"
    case terminalOutput = "terminal/output"
    case terminalWaitForExit = "terminal/wait_for_exit"
    case terminalKill = "terminal/kill"
    case terminalRelease = "terminal/release"
    case elicitationCreate = "elicitation/create"
    case elicitationComplete = "elicitation/complete"
    case mcpConnect = "mcp/connect"
    case mcpDisconnect = "mcp/disconnect"

    // Both sides handle these.
    case cancelRequest = "$/cancel_request"
    case mcpMessage = "mcp/message"
}

extension ACPMethod {
    /// The name of the method on the wire, for example `session/new`.
    package var name: String { rawValue }

    /// Finds a method by its name on the wire. Nil for unknown names and for extensions.
    package init?(named name: String) { self.init(rawValue: name) }
}

// MARK: - The table

extension ACPMethod {
    /// The side that handles a method (`x-side` in the schema). The other side sends it.
    package enum Side: Sendable {
        case agent, client, both
    }

    /// Whether a method has a response.
    package enum Kind: Sendable {
        case request, notification
        /// The method exists in both kinds.
        case requestOrNotification
    }

    /// Whether the method is in the schema. No method is stable in one version and unstable in the other.
    package enum Stability: Sendable {
        /// Part of each version in `versions`.
        case stable
        /// Can change or disappear.
        case unstable
        /// No longer in the schema. Some agents still handle it.
        case removed
    }

    /// Versions of the protocol. One connection uses one version.
    package struct Versions: OptionSet, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Version 1.
        package static let v1 = Versions(rawValue: 1)
        /// Version 2.
        package static let v2 = Versions(rawValue: 2)
        /// Both versions; the params and the result can differ.
        package static let both: Versions = [.v1, .v2]
    }

    /// The session that a message names in its member `sessionId`. The `nes/` and `document/` methods name sessions of
    /// next edits, which `nes/start` opens; all others name conversations.
    package enum SessionUse: Sendable {
        /// Neither the params nor the result names a session.
        case absent
        /// The params name a session.
        case named
        /// The params name a session, or else a request, in `requestId`.
        case namedOrRequest
        /// The result names a new session.
        case opened
        /// The params name a session, and the result names a new one.
        case copied
    }

    /// The side that handles the method.
    package var side: Side { row.side }
    /// Whether the method has a response.
    package var kind: Kind { row.kind }
    /// Whether the method is in the schema.
    package var stability: Stability { row.stability }
    /// The versions of the protocol that have the method.
    package var versions: Versions { row.versions }
    /// The session that a message of this method names.
    package var session: SessionUse { row.session }

    private struct Row {
        var side: Side
        var kind: Kind
        var stability: Stability
        var versions: Versions
        var session: SessionUse

        init(
            _ side: Side, _ kind: Kind, _ stability: Stability, _ versions: Versions, session: SessionUse = .absent
        ) {
            (self.side, self.kind, self.stability) = (side, kind, stability)
            (self.versions, self.session) = (versions, session)
        }
    }

    private var row: Row {
        switch self {
        case .initialize: Row(.agent, .request, .stable, .both)
        case .authenticate: Row(.agent, .request, .stable, .v1)
        case .logout: Row(.agent, .request, .stable, .v1)
        case .authLogin: Row(.agent, .request, .stable, .v2)
        case .authLogout: Row(.agent, .request, .stable, .v2)
        case .sessionNew: Row(.agent, .request, .stable, .both, session: .opened)
        case .sessionLoad: Row(.agent, .request, .stable, .v1, session: .named)
        case .sessionResume: Row(.agent, .request, .stable, .both, session: .named)
        case .sessionFork: Row(.agent, .request, .unstable, .both, session: .copied)
        case .sessionList: Row(.agent, .request, .stable, .both)
        case .sessionClose: Row(.agent, .request, .stable, .both, session: .named)
        case .sessionDelete: Row(.agent, .request, .stable, .both, session: .named)
        case .sessionSetMode: Row(.agent, .request, .stable, .v1, session: .named)
        case .sessionSetModel: Row(.agent, .request, .removed, .v1, session: .named)
        case .sessionSetConfigOption: Row(.agent, .request, .stable, .both, session: .named)
        case .sessionPrompt: Row(.agent, .request, .stable, .both, session: .named)
        case .sessionCancel: Row(.agent, .notification, .stable, .both, session: .named)
        case .toolCallCancel: Row(.agent, .request, .stable, .v2, session: .named)
        case .terminalCancel: Row(.agent, .request, .stable, .v2, session: .named)
        case .providersList: Row(.agent, .request, .unstable, .both)
        case .providersSet: Row(.agent, .request, .unstable, .both)
        case .providersDisable: Row(.agent, .request, .unstable, .both)
        case .nesStart: Row(.agent, .request, .unstable, .both, session: .opened)
        case .nesSuggest: Row(.agent, .request, .unstable, .both, session: .named)
        case .nesClose: Row(.agent, .request, .unstable, .both, session: .named)
        case .nesAccept: Row(.agent, .notification, .unstable, .both, session: .named)
        case .nesReject: Row(.agent, .notification, .unstable, .both, session: .named)
        case .documentDidOpen: Row(.agent, .notification, .unstable, .both, session: .named)
        case .documentDidChange: Row(.agent, .notification, .unstable, .both, session: .named)
        case .documentDidClose: Row(.agent, .notification, .unstable, .both, session: .named)
        case .documentDidSave: Row(.agent, .notification, .unstable, .both, session: .named)
        case .documentDidFocus: Row(.agent, .notification, .unstable, .both, session: .named)
        case .sessionUpdate: Row(.client, .notification, .stable, .both, session: .named)
        case .sessionRequestPermission: Row(.client, .request, .stable, .both, session: .named)
        case .fsReadTextFile: Row(.client, .request, .stable, .v1, session: .named)
        case .fsWriteTextFile: Row(.client, .request, .stable, .v1, session: .named)
        case .terminalCreate: Row(.client, .request, .stable, .v1, session: .named)
        case .terminalOutput: Row(.client, .request, .stable, .v1, session: .named)
        case .terminalWaitForExit: Row(.client, .request, .stable, .v1, session: .named)
        case .terminalKill: Row(.client, .request, .stable, .v1, session: .named)
        case .terminalRelease: Row(.client, .request, .stable, .v1, session: .named)
        case .elicitationCreate: Row(.client, .request, .stable, .both, session: .namedOrRequest)
        case .elicitationComplete: Row(.client, .notification, .stable, .both)
        case .mcpConnect: Row(.client, .request, .unstable, .v1)
        case .mcpDisconnect: Row(.client, .request, .unstable, .v1)
        case .cancelRequest: Row(.both, .notification, .stable, .both)
        case .mcpMessage: Row(.both, .requestOrNotification, .unstable, .both)
        }
    }
}
