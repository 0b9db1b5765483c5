import Glibc

/// Answers ACP requests minimally, and performs the behaviours at the requested time.
///
/// Options: `--updates N` in each prompt (3), `--early N` before the `session/new` response (1), `--late N` after the
/// prompt's response (1). `--sessions N`: the ids are `rude-1` … `rude-N` and then start again (without it, they count
/// up). `--id-style number|string|null|float|escaped`: each prompt requests a permission with ids `0`, `1` … in that
/// spelling, and ends when the response has arrived. `--reload N`: repeats its updates in one chunk before the
/// `session/load` response, and sends N new ones and a usage update. `--ask elicitation`: each prompt sends an elicitation about its
/// own request. `--tell answers`: sends an update `answer to ID` for each response, expected or not. `--set keep|never`: a session
/// has the option `level`, and a change of it is answered with the old value or never. `--refuse SESSION`: this session cannot
/// be loaded or resumed. `--login agent|terminal|both`: sessions require a login, which the file of `--login-file PATH` keeps. A
/// login in a terminal is the behaviour `log-in`.
struct EchoAgent {
    let arguments: Arguments
    var updates = Updates()
    private var lines = LineReader()
    private var sessionCount = 0
    private var askCount = 0
    private var heldPrompts: [(ask: String?, prompt: String, session: String?)] = []

    init(arguments: Arguments) {
        self.arguments = arguments
    }

    mutating func run() {
        if arguments.has(.ignoreTerminate) { signal(SIGTERM, SIG_IGN) }
        if arguments.has(.logIn) { return keepLogin() }
        if arguments.moment == .start { performBehaviours() }
        while let line = lines.next() { answer(Message(line: line)) }
        if arguments.has(.ignoreEOF) { hang() }
    }

    mutating func nextLine() -> [UInt8]? { lines.next() }

    func send(_ line: String) { write(line + "\n", to: 1) }

    mutating func sendUpdates(_ count: Int) {
        for _ in 0..<max(0, count) { send(updates.next()) }
    }

    private mutating func answer(_ message: Message) {
        guard let method = message.method else { return handle(answerTo: message.id) }
        guard let id = message.id else {
            if method == "session/cancel" { cancel(message.sessionID) }
            if method == "$/cancel_request" { cancelRequest(message.requestID) }
            return
        }
        switch method {
        case "initialize": respond(id, initializeResult)
        case "authenticate":
            keepLogin()
            respond(id, "{}")
        case _ where method.hasPrefix("session/") && lacksLogin:
            send(#"{"jsonrpc":"2.0","id":\#(id),"error":{"code":-32000,"message":"Authentication required"}}"#)
        case "session/new": openSession(id)
        case "session/prompt": prompt(id, message.sessionID)
        case _ where method.hasPrefix("session/") && arguments.text("refuse") == (message.sessionID ?? ""):
            send(#"{"jsonrpc":"2.0","id":\#(id),"error":{"code":-32002,"message":"unknown session"}}"#)
        case "session/load": reload(id)
        case "session/resume", "session/close": respond(id, "{}")
        case "session/set_config_option" where arguments.text("set") != nil:
            if arguments.text("set") == "keep" { respond(id, "{\(Self.options)}") }
        default: send(#"{"jsonrpc":"2.0","id":\#(id),"error":{"code":-32601,"message":"Method not found"}}"#)
        }
    }

    private mutating func openSession(_ id: String) {
        let isFirst = sessionCount == 0
        sessionCount += 1
        let number = arguments.number("sessions").map { (sessionCount - 1) % max(1, $0) + 1 } ?? sessionCount
        updates.sessionID = "rude-\(number)"
        sendUpdates(arguments.number("early") ?? 1)
        if isFirst, arguments.moment == .new { performBehaviours() }
        let options = arguments.text("set") == nil ? "" : ",\(Self.options)"
        respond(id, #"{"sessionId":"\#(updates.sessionID)"\#(options)}"#)
    }

    private static let options =
        #""configOptions":[{"id":"level","name":"Level","type":"select","currentValue":"-1","#
        + #""options":[{"value":"-1","name":"Low"},{"value":"1","name":"High"}]}]"#

    /// Repeats the texts of all updates in one chunk, then sends new updates, a usage update and the response.
    private mutating func reload(_ id: String) {
        if let count = arguments.number("reload") {
            send(updates.repetition())
            sendUpdates(count)
            send(updates.next(spelt: Self.usage))
        }
        respond(id, "{}")
    }

    private static let usage =
        #"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"$S","update":"#
        + #"{"sessionUpdate":"usage_update","used":$N,"size":100}}}"#

    private mutating func prompt(_ id: String, _ session: String?) {
        if let session { updates.sessionID = session }
        sendUpdates(arguments.number("updates") ?? 3)
        if arguments.moment == .prompt { performBehaviours() }
        if let ask = elicit(about: id) ?? askPermission() {
            heldPrompts.append((ask, id, session))
        } else if arguments.has(.stall) {
            heldPrompts.append((nil, id, session))
        } else {
            endPrompt(id, stopReason: "end_turn")
        }
    }

    private mutating func askPermission() -> String? {
        let id: String
        switch arguments.text("id-style") {
        case "number": id = "\(askCount)"
        case "string": id = "\"\(askCount)\""
        case "null": id = "null"
        case "float": id = "\(askCount).50e0"
        case "escaped": id = #""\u0061\/\#(askCount)""#
        default: return nil
        }
        askCount += 1
        send(
            #"{"jsonrpc":"2.0","id":\#(id),"method":"session/request_permission","#
                + #""params":{"sessionId":"\#(updates.sessionID)","toolCall":{"toolCallId":"call-\#(askCount)"},"#
                + #""options":[{"optionId":"yes","name":"Yes","kind":"allow_once"},"#
                + #"{"optionId":"no","name":"No","kind":"reject_once"}]}}"#
        )
        return id
    }

    private mutating func elicit(about prompt: String) -> String? {
        guard arguments.text("ask") == "elicitation" else { return nil }
        askCount += 1
        send(
            #"{"jsonrpc":"2.0","id":\#(askCount),"method":"elicitation/create","params":{"requestId":\#(prompt),"#
                + #""mode":"form","message":"Which?","requestedSchema":{"type":"object","properties":{}}}}"#)
        return "\(askCount)"
    }

    private mutating func handle(answerTo id: String?) {
        if arguments.text("tell") == "answers" { send(updates.next(text: "answer to \(id ?? "nothing")")) }
        endPrompts(askedAs: id)
    }

    private mutating func endPrompts(askedAs ask: String?) {
        guard let ask, let index = heldPrompts.firstIndex(where: { $0.ask == ask }) else { return }
        endPrompt(heldPrompts.remove(at: index).prompt, stopReason: "end_turn")
    }

    private mutating func cancel(_ session: String?) {
        guard !arguments.has(.ignoreCancel) else { return }
        let cancelled = heldPrompts.filter { $0.session == session }
        heldPrompts.removeAll { $0.session == session }
        for held in cancelled { endPrompt(held.prompt, stopReason: "cancelled") }
    }

    private mutating func cancelRequest(_ id: String?) {
        guard let index = heldPrompts.firstIndex(where: { $0.prompt == id }) else { return }
        let id = heldPrompts.remove(at: index).prompt
        send(#"{"jsonrpc":"2.0","id":\#(id),"error":{"code":-32800,"message":"Request cancelled"}}"#)
    }

    private mutating func endPrompt(_ id: String, stopReason: String) {
        respond(id, #"{"stopReason":"\#(stopReason)"}"#)
        sendUpdates(arguments.number("late") ?? 1)
    }

    private func respond(_ id: String, _ result: String) {
        send(#"{"jsonrpc":"2.0","id":\#(id),"result":\#(result)}"#)
    }

    private var initializeResult: String {
        #"{"protocolVersion":1,"agentCapabilities":{"loadSession":true,"#
            + #""sessionCapabilities":{"close":{},"resume":{}}},"#
            + #""agentInfo":{"name":"rude-agent","version":"1"},"authMethods":[\#(loginMethods)]}"#
    }

    // MARK: Logins

    private var loginMethods: String {
        let ways = arguments.text("login")
        let own = ways == "agent" || ways == "both" ? [#"{"id":"account","name":"Rude account"}"#] : []
        let words = #"["log-in","--login-file","\#(arguments.text("login-file") ?? "")"]"#
        let terminal = #"{"id":"console","name":"Rude console","type":"terminal","args":\#(words)}"#
        return (own + (ways == "terminal" || ways == "both" ? [terminal] : [])).joined(separator: ",")
    }

    private var lacksLogin: Bool {
        guard arguments.text("login") != nil, let file = arguments.text("login-file") else { return false }
        return access(file, F_OK) != 0
    }

    private func keepLogin() {
        guard let file = arguments.text("login-file") else { return }
        close(open(file, O_CREAT | O_WRONLY, 0o600))
    }
}
