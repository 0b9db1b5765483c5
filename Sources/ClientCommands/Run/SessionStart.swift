import ACPMethods
import ACPRouting
import JSONRPC
import JSONScan
import TerminalIO

/// The conversation of an ACP client that starts an agent and opens one session, a new one or an earlier one. Pure: lines in,
/// lines out.
///
/// The client offers the agent no services. It answers each request of the agent with an error, except elicitations: other
/// clients of the bridge can answer those.
struct SessionStart {
    /// The state after a line.
    enum Progress: Equatable {
        case waiting
        case opened(sessionId: String)
        /// The agent requires a login, or a login is the only purpose. ``SessionStart/logIn(_:)`` continues.
        ///
        /// - Parameter message: The reason for a person who does not log in.
        case needsLogin([LoginMethod], message: String)
        /// The agent has logged in, which was the purpose.
        case loggedIn
        case failed(String)
    }

    private static let initializeID = RequestID(1)
    private static let sessionID = RequestID(2)
    private static let promptID = RequestID(3)
    private static let secondInitializeID = RequestID(4)
    private static let loginID = RequestID(5)

    /// The columns of an agent's line in a message.
    private static let lineLimit = 200

    private let version: String
    /// The conversation ends with a login, and opens no session.
    private let isForLogin: Bool
    private var opening: SessionOpening
    private var isInitialized = false
    /// Whole lines with their line feeds, for the agent.
    private(set) var output: [UInt8] = []
    private(set) var progress = Progress.waiting
    /// The first line that is not JSON, which an agent does not write.
    private(set) var strangeLine: String?
    /// The message, and the page to open, of the agent's newest elicitation.
    private(set) var question: String?

    /// - Parameters:
    ///   - folder: The folder in which the session works, as an absolute path.
    ///   - version: The version of this program.
    ///   - earlier: The id of the session to continue; nil for a new one.
    ///   - agent: The name of the agent's profile; nil if it has none.
    ///   - servesTerminal: A person can log in at the terminal.
    ///   - isForLogin: Only log in.
    init(
        folder: String, version: String, continuing earlier: String? = nil, agent: String? = nil,
        servesTerminal: Bool = false, isForLogin: Bool = false
    ) {
        self.version = version
        self.isForLogin = isForLogin
        opening = SessionOpening(
            agent: agent, folder: folder, continuing: earlier, servesTerminal: servesTerminal)
        let (method, params) = opening.initialize(program: version)
        request(Self.initializeID, method, params)
    }

    mutating func takeOutput() -> [UInt8] {
        defer { output = [] }
        return output
    }

    /// Sends a prompt. Its answer is not awaited; the timeline has the turn.
    mutating func prompt(_ text: String, session: String) {
        request(Self.promptID, .sessionPrompt, SessionOpening.promptParams(text, session: session))
    }

    /// Has the agent log in by itself, and then opens the session.
    ///
    /// - Parameter method: One of the agent's methods of the kind ``LoginMethod/Kind/agent``.
    mutating func logIn(_ method: LoginMethod) {
        progress = .waiting
        let (method, params) = method.request(version: opening.version)
        request(Self.loginID, method, params)
    }

    /// Handles a line of the agent. A line that is not a JSON-RPC message is ignored.
    mutating func received(_ line: [UInt8]) {
        guard let message = try? JSONValue(validating: line) else {
            if strangeLine == nil, !line.isEmpty { strangeLine = String(decoding: line, as: UTF8.self) }
            return
        }
        guard let id = message["id"].flatMap(RequestID.init) else { return }
        if let method = message["method"]?.stringValue {
            // It waits for `acpbridge answer`, as after the start.
            if method == ACPMethod.elicitationCreate.name { return note(question: message["params"]) }
            return isInitialized ? refuse(id) : failAsStrange(line)
        }
        switch id {
        case Self.initializeID, Self.secondInitializeID: initialized(message)
        case Self.sessionID: opened(message)
        case Self.loginID: loggedIn(message)
        default: break
        }
    }

    /// An agent sends no requests before it has answered `initialize`. A program that repeats its input, such as cat, does.
    private mutating func failAsStrange(_ line: [UInt8]) {
        let first = strangeLine ?? String(decoding: line, as: UTF8.self)
        progress = .failed(
            """
            the command is not an ACP agent: it has written '\(Table.cell(first, limit: Self.lineLimit))'. Does it need an \
            option, such as --acp?
            """)
    }

    private mutating func note(question params: JSONValue?) {
        question = [params?["message"]?.stringValue, params?["url"]?.stringValue].compactMap(\.self).joined(
            separator: " ")
    }

    private mutating func initialized(_ message: JSONValue) {
        isInitialized = true
        do throws(SessionOpening.Failure) {
            let (method, params) = try opening.initialized(
                result: message["result"], error: message["error"], program: version)
            if isForLogin, method != .initialize {
                progress = .needsLogin(opening.logins, message: "the agent was not logged in")
                return
            }
            request(method == .initialize ? Self.secondInitializeID : Self.sessionID, method, params)
        } catch {
            progress = .failed(error.message)
        }
    }

    private mutating func opened(_ message: JSONValue) {
        do throws(SessionOpening.Failure) {
            progress = .opened(sessionId: try opening.opened(result: message["result"], error: message["error"]))
        } catch {
            progress = error.logins.map { .needsLogin($0, message: error.message) } ?? .failed(error.message)
        }
    }

    private mutating func loggedIn(_ message: JSONValue) {
        guard message["result"] != nil else {
            let error = message["error"]
            let reason = error?["message"]?.stringValue ?? error?.rawString ?? "its answer has no result"
            progress = .failed("the agent did not log in: \(reason)")
            return
        }
        guard !isForLogin else { return progress = .loggedIn }
        request(Self.sessionID, opening.request.method, opening.request.params)
    }

    private mutating func request(_ id: RequestID, _ method: ACPMethod, _ params: [UInt8]) {
        let line = JSONWriter.object { writer in
            writer.member("jsonrpc", "2.0")
            writer.member("id", id)
            writer.member("method", method.name)
            writer.member("params", raw: params)
        }
        send(line)
    }

    private mutating func refuse(_ id: RequestID) {
        send(
            MessageText.errorResponse(
                id: id, code: .methodNotFound, message: "acpbridge run offers no services to the agent"))
    }

    private mutating func send(_ line: [UInt8]) { output += line + [0x0A] }
}
