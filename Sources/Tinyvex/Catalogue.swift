/// Everything that is served by name: one table, from which names, rights and the OpenRPC document follow.
public enum Catalogue {
    public static let functions: [FunctionDescription] = [
        .query(
            .sessionsList, "The sessions that fit, the last active first, a page at a time.",
            [
                .optional("agent"), .optional("live"), .optional("archived"), .optional("search"), .optional("page"),
                .optional("limit"), .optional("cursor"),
            ]),
        .query(
            .sessionsGet, "One session: how it stands, what it can do, what its agent does and waits for.", session),
        .query(.agentsList, "The agents that can be started, and those that run.", [.optional("cursor")]),
        .query(
            .permissionsPending, "What agents wait to be allowed, the longest waiting first.", [.optional("cursor")]),
        .query(.bridgeStatus, "How the bridge is, and how busy."),
        .mutation(
            .sessionsSetTitle, "Gives a session a title that goes before its agent's, or takes it away.",
            session + [.optional("title")]),
        .mutation(.sessionsSetTags, "Gives a session these tags and no others.", session + [.required("tags")]),
        .mutation(
            .sessionsArchive, "Takes a session out of the list, or puts it back.", session + [.optional("archived")]),
        .mutation(.sessionsDelete, "Deletes a session that has ended, with all it has stored.", session),
        .mutation(
            .permissionsAnswer, "Answers what an agent waits to be allowed; the first valid answer counts.",
            [.required("sessionId"), .optional("agent"), .required("requestId"), .required("outcome")]),
        .action(
            .sessionsPrompt, "Asks the agent something, and answers when the turn has ended.",
            [
                .required("sessionId"), .optional("agent"), .optional("text"), .optional("prompt"), .optional("queue"),
            ], role: .control, isIdempotent: false),
        .action(
            .sessionsCancel, "Ends the session's turn.", [.required("sessionId"), .optional("agent")], role: .control,
            isIdempotent: true),
        .action(
            .sessionsExport, "The session's timeline as text, a page at a time.",
            session + [.optional("format"), .optional("cursor")], role: .observe, isIdempotent: true),
        .action(
            .agentsStop, "Ends one agent, with all sessions that it runs.",
            [.optional("sessionId"), .optional("agent"), .optional("pid")], role: .control, isIdempotent: false),
        .action(.bridgeStop, "Ends the agents and the bridge.", role: .admin, isIdempotent: true),
        .action(
            .bridgeReplace, "Puts another program in the bridge's place; its agents go on.",
            [.required("program"), .optional("arguments"), .required("format")], role: .admin, isIdempotent: false),
        .action(
            .tokensCreate, "Makes a token, whose text is in this answer and nowhere else.",
            [.required("role"), .optional("name"), .optional("ttlSeconds")], role: .admin, isIdempotent: false),
        .action(.tokensList, "The tokens that were made, without their texts.", role: .admin, isIdempotent: true),
        .action(
            .tokensRevoke, "Makes a token worthless, and closes the connections that rest on it.", [.required("id")],
            role: .admin, isIdempotent: false),
    ]

    /// Which session is meant.
    private static let session: [FunctionDescription.Parameter] = [
        .required("sessionId"), .optional("agent"), .optional("journal"),
    ]

    public static func function(_ kind: FunctionDescription.Kind, _ name: String) -> FunctionDescription? {
        functions.first { $0.kind == kind && $0.name == name }
    }

    public static func names(_ kind: FunctionDescription.Kind) -> [String] {
        functions.filter { $0.kind == kind }.map(\.name)
    }
}

/// What `tinyvex/subscribe` can ask for as a value.
public enum QueryName: String, Sendable, CaseIterable {
    case sessionsList = "sessions:list"
    case sessionsGet = "sessions:get"
    case agentsList = "agents:list"
    case permissionsPending = "permissions:pending"
    case bridgeStatus = "bridge:status"
}

/// What `tinyvex/mutation` can change.
public enum MutationName: String, Sendable, CaseIterable {
    case sessionsSetTitle = "sessions:setTitle"
    case sessionsSetTags = "sessions:setTags"
    case sessionsArchive = "sessions:archive"
    case sessionsDelete = "sessions:delete"
    case permissionsAnswer = "permissions:answer"
}

/// What `tinyvex/action` can do.
public enum ActionName: String, Sendable, CaseIterable {
    case sessionsPrompt = "sessions:prompt"
    case sessionsCancel = "sessions:cancel"
    case sessionsExport = "sessions:export"
    case agentsStop = "agents:stop"
    case bridgeStop = "bridge:stop"
    case bridgeReplace = "bridge:replace"
    case tokensCreate = "tokens:create"
    case tokensList = "tokens:list"
    case tokensRevoke = "tokens:revoke"
}
