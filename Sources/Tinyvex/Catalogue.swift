/// All queries, mutations and actions that the bridge serves by name. Names, roles and the OpenRPC document are
/// derived from this table.
public enum Catalogue {
    public static let functions: [FunctionDescription] = [
        .query(
            .sessionsList, "Lists the matching sessions, the most recently active first, one page at a time.",
            [
                .optional("agent"), .optional("live"), .optional("archived"), .optional("search"),
                .optional("children"), .optional("order"), .optional("page"), .optional("limit"), .optional("cursor"),
                .optional("sessionId"), .optional("journal"),
            ]),
        .query(
            .sessionsGet,
            "One session: its state, its capabilities, its agent's current activity and its open requests.",
            session + [.optional("costs"), .optional("toolCalls")]),
        .query(
            .sessionsSearch, "Finds words in the text of all sessions, the newest first.",
            [
                .required("query"), .optional("sessionId"), .optional("agent"), .optional("journal"),
                .optional("sinceTs"), .optional("limit"), .optional("cursor"),
            ]),
        .query(
            .usageByDay, "The consumed tokens and the costs of days, by agent, with those of peers.",
            [.required("starts")]),
        .query(
            .agentsList, "The agents that can be started, and the running agents.",
            [.optional("cursor"), .optional("bridge")]),
        .query(
            .permissionsPending, "The pending permission requests of all agents, the oldest first.",
            [.optional("sessionId"), .optional("agent"), .optional("cursor")]),
        .query(
            .elicitationsPending, "The pending elicitations of agents about their sessions, the oldest first.",
            [.optional("sessionId"), .optional("agent"), .optional("cursor")]),
        .query(.filesGet, "The length, type and hash of a stored file, or null.", [.required("storageId")]),
        .query(
            .filesList, "The stored files, the newest first, one page at a time.",
            [.optional("limit"), .optional("cursor")]),
        .query(.pushList, "The push registrations, without the secret parts of their addresses."),
        .query(.bridgeStatus, "The state of the bridge and its load."),
        .mutation(
            .sessionsSetTitle, "Sets a session title that overrides the agent's title, or removes it.",
            session + [.optional("title")]),
        .mutation(.sessionsSetTags, "Replaces the tags of a session.", session + [.required("tags")]),
        .mutation(
            .sessionsArchive, "Hides a session from the list, or restores it.", session + [.optional("archived")]),
        .mutation(
            .sessionsMute, "Stops the notifications of a session, or permits them again.",
            session + [.optional("muted")]),
        .mutation(.sessionsDelete, "Deletes an ended session and all its stored data.", session),
        .mutation(
            .permissionsAnswer, "Answers a permission request of an agent; the first valid answer is used.",
            [.required("sessionId"), .optional("agent"), .required("requestId"), .required("outcome")]),
        .mutation(
            .elicitationsAnswer, "Answers an elicitation of an agent; the first valid answer is used.",
            [
                .required("sessionId"), .optional("agent"), .required("requestId"), .required("action"),
                .optional("content"),
            ]),
        .mutation(
            .filesGenerateUploadUrl, "Creates a URL to which one file can be sent, once.", [.optional("baseUrl")]),
        .mutation(
            .filesSaveFile, "Gives a stored file a name and a type.",
            [.required("storageId"), .optional("filename"), .optional("mimeType")]),
        .mutation(.filesDelete, "Deletes a stored file.", [.required("storageId")]),
        .mutation(
            .pushRegister, "Registers a browser, a device or a webhook for notifications.",
            [
                .optional("endpoint"), .optional("keys"), .optional("secret"), .optional("token"), .optional("topic"),
                .optional("environment"), .optional("events"),
            ], role: .observe),
        .mutation(.pushUnregister, "Ends a push registration.", [.required("id")], role: .observe),
        .action(
            .sessionsBegin, "Starts an agent, and begins a session with it.",
            [.required("agent"), .optional("cwd"), .optional("text"), .optional("start"), .optional("bridge")],
            role: .control, isIdempotent: false),
        .action(
            .sessionsResume, "Starts an ended session's agent again, and continues the session.",
            session + [.optional("text"), .optional("start")], role: .control, isIdempotent: false),
        .action(
            .sessionsPrompt, "Sends a prompt to the agent, and returns when the turn has ended.",
            [
                .required("sessionId"), .optional("agent"), .optional("text"), .optional("prompt"), .optional("queue"),
            ], role: .control, isIdempotent: false),
        .action(
            .sessionsCancel, "Cancels the session's turn.", [.required("sessionId"), .optional("agent")],
            role: .control,
            isIdempotent: true),
        .action(
            .sessionsClose, "Ends one session; its agent continues with its other sessions.", session, role: .control,
            isIdempotent: false),
        .action(
            .sessionsUnqueue, "Removes a waiting prompt from the session's queue, and returns its content.",
            [.required("sessionId"), .optional("agent"), .required("queuedTs")], role: .control, isIdempotent: true),
        .action(
            .sessionsExport, "Returns the session's timeline as text, one page at a time.",
            session + [.optional("format"), .optional("cursor")], role: .observe, isIdempotent: true),
        .action(
            .sessionsImport, "Stores an exported timeline as a new, ended session, one part at a time.",
            [
                .optional("agent"), .optional("title"), .optional("cwd"), .optional("import"), .required("text"),
                .optional("last"),
            ], role: .admin, isIdempotent: false),
        .action(
            .sessionsView, "Reports that a person has the session on a screen, for the next 30 s.",
            [.required("sessionId"), .optional("agent")], role: .observe, isIdempotent: true),
        .action(
            .sessionsShare, "Creates a token for one session, and a code by which a browser gets it.",
            session + [.optional("role"), .optional("ttlSeconds"), .optional("name")], role: .control,
            isIdempotent: false),
        .action(
            .logRead, "Reads the bridge's own log, for another bridge that shows its sessions.",
            [
                .required("read"), .optional("log"), .optional("sid"), .optional("sessionId"), .optional("agent"),
                .optional("limit"), .optional("after"), .optional("changes"), .optional("epoch"), .optional("live"),
                .optional("running"), .optional("maxBytes"), .optional("seq"), .optional("ts"), .optional("backward"),
                .optional("journal"),
            ], role: .observe, isIdempotent: true),
        .action(
            .agentsStop, "Stops one agent, with all sessions that it runs.",
            [
                .optional("sessionId"), .optional("agent"), .optional("journal"), .optional("pid"), .optional("start"),
                .optional("bridge"),
            ], role: .control,
            isIdempotent: false),
        .action(.bridgeStop, "Stops the bridge and its agents.", role: .admin, isIdempotent: true),
        .action(
            .bridgeReplace, "Replaces the bridge's program with another one; its agents continue to run.",
            [.required("program"), .optional("arguments"), .required("format")], role: .admin, isIdempotent: false),
        .action(
            .notificationsTest, "Sends a notification to every target, and returns the results.", role: .admin,
            isIdempotent: false),
        .action(
            .pushTest, "Sends a notification to one of the client's registrations, and returns the result.",
            [.required("id")], role: .observe, isIdempotent: false),
        .action(
            .codesCreate, "Creates a code by which a browser gets a token of its own, once.",
            [
                .required("role"), .optional("name"), .optional("ttlSeconds"), .optional("lifeSeconds"),
                .optional("short"),
            ], role: .admin, isIdempotent: false),
        .action(
            .tokensCreate, "Creates a token. Only this response contains the token's text.",
            [.required("role"), .optional("name"), .optional("ttlSeconds")], role: .admin, isIdempotent: false),
        .action(.tokensList, "Lists the existing tokens, without their texts.", role: .admin, isIdempotent: true),
        .action(
            .tokensRevoke, "Revokes a token, and closes the connections that use it.", [.required("id")],
            role: .admin, isIdempotent: false),
    ]

    /// The parameters that identify a session.
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

/// The values that `tinyvex/subscribe` can subscribe to.
public enum QueryName: String, Sendable, CaseIterable {
    case sessionsList = "sessions:list"
    case sessionsGet = "sessions:get"
    case sessionsSearch = "sessions:search"
    case usageByDay = "usage:byDay"
    case agentsList = "agents:list"
    case permissionsPending = "permissions:pending"
    case elicitationsPending = "elicitations:pending"
    case filesGet = "files:get"
    case filesList = "files:list"
    case pushList = "push:list"
    case bridgeStatus = "bridge:status"
}

/// The functions that `tinyvex/mutation` can run.
public enum MutationName: String, Sendable, CaseIterable {
    case sessionsSetTitle = "sessions:setTitle"
    case sessionsSetTags = "sessions:setTags"
    case sessionsArchive = "sessions:archive"
    case sessionsMute = "sessions:mute"
    case sessionsDelete = "sessions:delete"
    case permissionsAnswer = "permissions:answer"
    case elicitationsAnswer = "elicitations:answer"
    case filesGenerateUploadUrl = "files:generateUploadUrl"
    case filesSaveFile = "files:saveFile"
    case filesDelete = "files:delete"
    case pushRegister = "push:register"
    case pushUnregister = "push:unregister"
}

/// The functions that `tinyvex/action` can run.
public enum ActionName: String, Sendable, CaseIterable {
    case sessionsBegin = "sessions:begin"
    case sessionsResume = "sessions:resume"
    case sessionsPrompt = "sessions:prompt"
    case sessionsCancel = "sessions:cancel"
    case sessionsClose = "sessions:close"
    case sessionsUnqueue = "sessions:unqueue"
    case sessionsExport = "sessions:export"
    case sessionsImport = "sessions:import"
    case sessionsView = "sessions:view"
    case sessionsShare = "sessions:share"
    case logRead = "log:read"
    case agentsStop = "agents:stop"
    case bridgeStop = "bridge:stop"
    case bridgeReplace = "bridge:replace"
    case notificationsTest = "notifications:test"
    case pushTest = "push:test"
    case codesCreate = "codes:create"
    case tokensCreate = "tokens:create"
    case tokensList = "tokens:list"
    case tokensRevoke = "tokens:revoke"
}
