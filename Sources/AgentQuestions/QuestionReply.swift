import TerminalText

/// An answer as the words of a command line have it, before it is checked against its question. Pure.
package enum QuestionReply: Sendable {
    /// The id of a permission request's option.
    case option(String)
    /// Names of a form's fields and the texts for them; empty for a page to open.
    case accept([(name: String, text: String)])
    case decline
    case cancel
}

extension AgentQuestion {
    /// Returns the answer to send.
    ///
    /// - Throws: ``AnswerFault`` if the question does not take this answer.
    package func answer(_ reply: QuestionReply) throws(AnswerFault) -> QuestionAnswer {
        switch (kind, reply) {
        case (.permission(let options), .option(let id)):
            guard options.contains(where: { $0.id == id }) else {
                throw AnswerFault("the request has no option '\(id)'; it has " + Self.list(options.map(\.id)))
            }
            return .option(id)
        case (.permission, .cancel): return .cancelledPermission
        case (.permission(let options), .accept), (.permission(let options), .decline):
            throw AnswerFault(
                "a permission request is answered with --cancel, or with --option and one of "
                    + Self.list(options.map(\.id)))
        case (.form(let form), .accept(let fields)): return .accept(try form.content(fields))
        case (.url, .accept(let fields)):
            if let field = fields.first { throw AnswerFault("a page has no fields, but '\(field.name)' was given") }
            return .accept(nil)
        case (.form, .decline), (.url, .decline): return .decline
        case (.form, .cancel), (.url, .cancel): return .cancel
        case (.form, .option), (.url, .option):
            throw AnswerFault("this question is answered with --accept, --decline or --cancel")
        }
    }

    private static func list(_ ids: [String]) -> TerminalText {
        ids.map { id -> TerminalText in "'\(id)'" }.joined(separator: ", ")
    }
}
