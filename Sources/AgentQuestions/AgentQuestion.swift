import JSONScan
import SessionText
import TerminalText

/// A request of an agent that a person answers: a permission, a form, or a page to open. Pure.
package struct AgentQuestion: Sendable {
    package enum Kind: Sendable {
        /// `session/request_permission`. There is at least one option.
        case permission([PermissionOption])
        /// `elicitation/create` with a form.
        case form(ElicitationForm)
        /// `elicitation/create` with the URL of a page.
        case url(String)
    }

    /// The agent's request id as JSON text.
    package let requestId: [UInt8]
    /// The session that asks: the followed session or one of its subagents. Nil if the request names none.
    package let session: String?
    /// The process id of the agent, for an elicitation that belongs to another request and to no session, such as a
    /// login. Nil for all others.
    package let process: Int64?
    package let kind: Kind
    /// The title of a permission request or the message of an elicitation, on one line.
    package let title: TerminalText

    /// Returns nil if there is nothing to answer: a permission request without options, or an unknown kind of elicitation.
    ///
    /// - Parameters:
    ///   - requestId: The agent's request id.
    ///   - params: The params of the agent's request, or an element of `elicitations:pending`, which has members
    ///     with the same names.
    ///   - process: The process id of the agent, if the bridge lists the request by it.
    package init?(requestId: JSONValue, params: JSONValue, process: Int64? = nil) {
        guard let kind = Kind(params) else { return nil }
        self.kind = kind
        self.requestId = Array(requestId.rawText)
        self.process = process
        session = params["sessionId"]?.stringValue
        let call = params["toolCall"] ?? params["subject"]?["toolCall"]
        let title = params["message"] ?? params["title"] ?? call?["title"] ?? call?["toolCallId"]
        self.title = TerminalText(oneLine: title?.stringValue ?? "")
    }

    /// Whether the text that a person typed names this request: its JSON text, or the string without quotes.
    package func isNamed(_ text: String) -> Bool {
        if requestId.elementsEqual(text.utf8) { return true }
        return (try? JSONValue(validating: requestId))?.stringValue == text
    }

    /// The kind as one word.
    package var kindName: String {
        switch kind {
        case .permission: "permission"
        case .form: "form"
        case .url: "url"
        }
    }

    /// The arguments of the mutation that sends the answer, with the agent's process in place of a session.
    ///
    /// Nil for a request of a session.
    package func processArguments(_ answer: QuestionAnswer) -> [UInt8]? {
        guard let process else { return nil }
        return JSONWriter.object { writer in
            writer.member("pid", process)
            writer.member("requestId", raw: requestId)
            answer.write(to: &writer)
        }
    }

    /// A summary of the possible answers: the options, the fields, or the URL.
    package var summary: TerminalText {
        switch kind {
        case .permission(let options): options.map { "\($0.id)" }.joined(separator: ", ")
        case .form(let form): form.fields.map { "\($0.name)\($0.isRequired ? "" : "?")" }.joined(separator: ", ")
        case .url(let url): "\(url)"
        }
    }
}

extension AgentQuestion.Kind {
    fileprivate init?(_ params: JSONValue) {
        switch params["mode"]?.stringValue {
        case nil:
            let options = PermissionOption.all(inParams: params)
            if options.isEmpty { return nil }
            self = .permission(options)
        case "form": self = .form(ElicitationForm(params["requestedSchema"]))
        case "url":
            guard let url = params["url"]?.stringValue else { return nil }
            self = .url(url)
        default: return nil
        }
    }
}

/// The answer of a person to an agent's request.
package enum QuestionAnswer: Sendable, Equatable {
    /// The option of a permission request.
    case option(String)
    /// A permission request is dismissed.
    case cancelledPermission
    /// The `content` of a form as JSON text; nil for a page to open.
    case accept([UInt8]?)
    case decline
    case cancel

    /// The name of the mutation that sends the answer to the agent.
    package var mutation: String {
        switch self {
        case .option, .cancelledPermission: "permissions:answer"
        case .accept, .decline, .cancel: "elicitations:answer"
        }
    }

    /// Writes the mutation's arguments, except those that name the session and the request.
    package func write(to writer: inout JSONWriter) {
        switch self {
        case .option(let id):
            writer.memberObject("outcome") { writer in
                writer.member("outcome", "selected")
                writer.member("optionId", id)
            }
        case .cancelledPermission: writer.memberObject("outcome") { $0.member("outcome", "cancelled") }
        case .accept(let content):
            writer.member("action", "accept")
            if let content { writer.member("content", raw: content) }
        case .decline: writer.member("action", "decline")
        case .cancel: writer.member("action", "cancel")
        }
    }
}
