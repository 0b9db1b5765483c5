import FieldLimits

/// Facts to record about a session's incarnation. `nil` leaves a fact unchanged.
package struct SessionFacts: Sendable {
    /// The agent's own title, cut to ``FieldLimit/titleCharacters``. The empty string removes the title.
    package var title: String?
    package var cwd: String?
    /// Only the first prompt is stored; later ones are ignored. At most ``FieldLimit/promptCharacters`` are kept.
    package var firstPrompt: String?
    /// The session's tenant, if several tenants share a bridge. Nil for the bridge's own sessions. Read in claims only:
    /// a claim continues only an incarnation of the same tenant, and an incarnation's tenant never changes.
    package var tenant: String?
    /// ACP's id of the parent session. The first one counts.
    package var parentId: String?
    /// The usage that the agent has reported, as JSON text. A longer text than ``FieldLimit/usageBytes`` is left out.
    package var usage: String?
    /// A claim makes its incarnation `live`, whatever this value is.
    package var state: SessionState?
    /// How the agent ended, as text: `"exited 0"`. Cleared when the incarnation is claimed again.
    package var exit: String?
    /// Milliseconds since 1970. A listing sorts by the latest of this time and the times in the log. If a claim has no
    /// time, the system's clock is used.
    package var lastTs: Int64?

    package init(
        title: String? = nil, cwd: String? = nil, firstPrompt: String? = nil, tenant: String? = nil,
        parentId: String? = nil, usage: String? = nil, state: SessionState? = nil, exit: String? = nil,
        lastTs: Int64? = nil
    ) {
        self.title = title?.prefix(scalars: FieldLimit.titleCharacters)
        self.cwd = cwd?.within(bytes: FieldLimit.folderBytes)
        self.firstPrompt = firstPrompt?.prefix(scalars: FieldLimit.promptCharacters)
        self.tenant = tenant
        self.parentId = parentId?.within(bytes: FieldLimit.sessionIdBytes)
        self.usage = usage?.within(bytes: FieldLimit.usageBytes)
        self.state = state
        self.exit = exit
        self.lastTs = lastTs
    }
}

package enum SessionState: Sendable, Equatable {
    case live
    case ended
}

/// A session's incarnation as recorded in the log.
package struct SessionRecord: Sendable, Equatable {
    /// The ``exit`` text of an incarnation that was live when its process was killed.
    package static let crashedExit = "crashed"

    package let sid: Int64
    package let agent: String
    package let sessionId: String
    /// The agent's own title.
    package var title: String?
    package var cwd: String?
    /// The beginning of the first prompt.
    package let firstPrompt: String?
    /// The session's tenant, or nil for the bridge's own sessions.
    package let tenant: String?
    /// The id of the parent session. Nil for a session without a parent.
    package var parentId: String?
    /// The usage that the agent has reported, as JSON text. Nil if it has reported none.
    package var usage: String?
    /// The label that people have given the session.
    package let label: SessionLabel
    /// The journal of the latest claim.
    package let journal: Journal
    /// Milliseconds since 1970.
    package let createdTs: Int64
    /// Milliseconds since 1970.
    package var lastTs: Int64
    /// The time at which the session was last begun, loaded or prompted, in milliseconds since 1970. Unlike `lastTs`, it stays
    /// the same while the agent works. Nil if it is not known, as for sessions that a hub has.
    package var usedTs: Int64?
    /// The first update that retention has kept, or `head + 1` if it kept none.
    package let oldest: Int64
    /// The last update's number, which is also the number of updates so far. 0 if there are none.
    package var head: Int64
    /// The last timeline number.
    package var timelineHead: Int64
    package var state: SessionState
    package var exit: String?
    /// The bridge that has the session. Nil for a session of this bridge's own log.
    package var home: SessionHome?

    package init(
        sid: Int64, agent: String, sessionId: String, title: String?, cwd: String?, firstPrompt: String?,
        tenant: String?, parentId: String? = nil, usage: String? = nil, label: SessionLabel, journal: Journal,
        createdTs: Int64,
        lastTs: Int64, oldest: Int64,
        head: Int64, timelineHead: Int64, state: SessionState, exit: String?
    ) {
        self.sid = sid
        self.agent = agent
        self.sessionId = sessionId
        self.title = title
        self.cwd = cwd
        self.firstPrompt = firstPrompt
        self.tenant = tenant
        self.parentId = parentId
        self.usage = usage
        self.label = label
        self.journal = journal
        self.createdTs = createdTs
        self.lastTs = lastTs
        self.oldest = oldest
        self.head = head
        self.timelineHead = timelineHead
        self.state = state
        self.exit = exit
    }
}
