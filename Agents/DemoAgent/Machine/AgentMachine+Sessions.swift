import JSONRPC
import JSONScan

extension AgentMachine {
    func index(of params: Params, isOpen: Bool) throws(Refusal) -> Int {
        let id = try params.string("sessionId")
        guard let index = sessions.firstIndex(where: { $0.id == id && ($0.isOpen || !isOpen) }) else {
            throw .unknownSession
        }
        return index
    }

    /// The session that a client loads or resumes. One that another process has stored can have the other version.
    mutating func continuedIndex(of params: Params) throws(Refusal) -> Int {
        let index = try index(of: params, isOpen: false)
        if sessions[index].version != version { convert(at: index) }
        return index
    }

    mutating func openSession(_ id: RequestID, _ params: Params) throws(Refusal) {
        let cwd = try params.cwd()
        if version == .one { _ = try params.array("mcpServers") }
        try dropOldestSession()
        var session = Session(
            id: nextSessionID(), cwd: cwd, paceMilliseconds: configuration.defaultPaceMilliseconds,
            updatedAt: timestampNow, version: version)
        session.work.isOlder = configuration.isOlder
        sessions.append(session)
        respond(id) { [offer, session] result in
            result.member("sessionId", session.id)
            session.writeState(to: &result, offer)
        }
        sendCommands(to: session)
    }

    private mutating func dropOldestSession() throws(Refusal) {
        guard sessions.count >= Self.sessionLimit else { return }
        guard let oldest = sessions.firstIndex(where: { !$0.isOpen }) else {
            throw Refusal(
                code: .internalError, message: "the limit of \(Self.sessionLimit) open sessions is reached; close one")
        }
        sessions.remove(at: oldest)
    }

    /// Replays the whole conversation before the response (ACP, session setup).
    mutating func loadSession(_ id: RequestID, _ params: Params) throws(Refusal) {
        let index = try continuedIndex(of: params)
        let cwd = try params.cwd()
        _ = try params.array("mcpServers")
        keep(sessions[index].history.endMessage(), of: sessions[index])
        replay(sessions[index])
        reopen(index, cwd: cwd, answering: id)
    }

    mutating func resumeSession(_ id: RequestID, _ params: Params) throws(Refusal) {
        let index = try continuedIndex(of: params)
        reopen(index, cwd: try params.cwd(), answering: id)
    }

    mutating func replay(_ session: Session) {
        for update in session.history.updates { sendLine(History.line(sessionID: session.id, stored: update)) }
    }

    mutating func reopen(_ index: Int, cwd: String, answering id: RequestID) {
        sessions[index].isOpen = true
        sessions[index].cwd = cwd
        let session = sessions[index]
        respond(id) { [offer] in session.writeState(to: &$0, offer) }
        sendCommands(to: session)
    }

    mutating func closeSession(_ id: RequestID, _ params: Params) throws(Refusal) {
        let index = try index(of: params, isOpen: true)
        sessions[index].isOpen = false
        endAllWork(of: index)
        // The prompt is answered first, as if it had been cancelled.
        cancelTurn(of: sessions[index].id, .stopped("cancelled"))
        respond(id)
    }

    /// Lists the newest sessions first, 50 per page. The cursor is the id of the last session on the page.
    mutating func listSessions(_ id: RequestID, _ params: Params) throws(Refusal) {
        let cwd = params["cwd"]?.stringValue
        var listed = sessions.reversed().filter { cwd == nil || $0.cwd == cwd }[...]
        if let cursor = params["cursor"] {
            guard let last = listed.firstIndex(where: { $0.id == cursor.stringValue }) else {
                throw .invalidParams("cursor must be a nextCursor of this agent")
            }
            listed = listed[(last + 1)...]
        }
        let page = listed.prefix(50)
        respond(id) { result in
            result.memberArray("sessions") { list in
                for session in page { list.object { Self.writeInfo(of: session, to: &$0) } }
            }
            if page.count < listed.count { result.member("nextCursor", ifPresent: page.last?.id) }
        }
    }

    mutating func setMode(_ id: RequestID, _ params: Params) throws(Refusal) {
        let index = try index(of: params, isOpen: true)
        guard let mode = Session.Mode(rawValue: try params.string("modeId")) else {
            throw .invalidParams("modeId must be one of the session's modes")
        }
        setMode(mode, of: index)
        sendOptions(of: sessions[index])
        respond(id)
    }

    mutating func setOption(_ id: RequestID, _ params: Params) throws(Refusal) {
        let index = try index(of: params, isOpen: true)
        if version == .two { _ = try params.string("type") }
        switch (try params.string("configId"), params["value"]) {
        case ("mode", let value?):
            guard let mode = value.stringValue.flatMap(Session.Mode.init) else { fallthrough }
            setMode(mode, of: index)
        case ("pace", let value?):
            let paces = Session.paces(default: configuration.defaultPaceMilliseconds)
            guard let pace = paces.first(where: { "\($0.milliseconds)" == value.stringValue }) else { fallthrough }
            sessions[index].paceMilliseconds = pace.milliseconds
        case ("thoughts", let value?):
            guard let thinks = value.boolValue else { fallthrough }
            sessions[index].thinks = thinks
        default: throw .invalidParams("unknown option, or invalid value for the option")
        }
        sendOptions(of: sessions[index])
        let session = sessions[index]
        respond(id) { [offer] in session.writeOptions(to: &$0, offer) }
    }

    private mutating func setMode(_ mode: Session.Mode, of index: Int) {
        sessions[index].mode = mode
        guard version == .one else { return }
        let update = SessionUpdate.object("current_mode_update") { $0.member("currentModeId", mode.rawValue) }
        sendUpdate(update, to: sessions[index].id)
    }

    private mutating func sendOptions(of session: Session) {
        let update = SessionUpdate.object("config_option_update") { session.writeOptions(to: &$0, offer) }
        sendUpdate(update, to: session.id)
    }

    /// Version 2 has the commands in the response.
    private mutating func sendCommands(to session: Session) {
        guard session.version == .one else { return }
        let update = SessionUpdate.object("available_commands_update") { SlashCommand.write(to: &$0, version: .one) }
        sendUpdate(update, to: session.id)
    }

    private static func writeInfo(of session: Session, to info: inout JSONWriter) {
        info.member("sessionId", session.id)
        info.member("cwd", session.cwd)
        info.member("title", ifPresent: session.title)
        info.member("updatedAt", session.updatedAt)
    }

    var offer: OptionOffer {
        OptionOffer(
            defaultPaceMilliseconds: configuration.defaultPaceMilliseconds,
            hasBooleans: version == .two || client?.acceptsBooleanOptions == true)
    }
}
