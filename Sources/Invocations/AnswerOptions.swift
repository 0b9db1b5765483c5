import ArgumentParsing

/// Options of `acpbridge answer`.
package struct AnswerOptions: Equatable, Sendable {
    /// The session as the user names it, see ``AttachOptions/session``, or `pid:` and an agent's process id. Nil lists
    /// the requests of all sessions.
    package var session: String?
    /// The agent's id of the request; nil means the only one that waits.
    package var request: String?
    /// The id of a permission request's option.
    package var option: String?
    package var accept: Bool
    package var decline: Bool
    package var cancel: Bool
    /// The values of a form's fields.
    package var fields: [FieldSetting]
    /// Print JSON, one object per line, instead of text for people.
    package var json: Bool
    package var connection: ConnectionOptions

    package init(
        session: String? = nil, request: String? = nil, option: String? = nil, accept: Bool = false,
        decline: Bool = false, cancel: Bool = false, fields: [FieldSetting] = [], json: Bool = false,
        connection: ConnectionOptions = ConnectionOptions()
    ) {
        self.session = session
        self.request = request
        self.option = option
        self.accept = accept
        self.decline = decline
        self.cancel = cancel
        self.fields = fields
        self.json = json
        self.connection = connection
    }

    /// The options that answer a request, as they were written.
    package var answers: [String] {
        let acceptance = accept ? ["--accept"] : fields.isEmpty ? [] : ["--field"]
        let others = [("--option", option != nil), ("--decline", decline), ("--cancel", cancel)]
        return acceptance + others.filter(\.1).map(\.0)
    }

    /// The command answers a request, instead of listing them or asking the user.
    package var isAnswer: Bool { !answers.isEmpty }
}

/// The value of one field of a form: `colour=red`. The value can be empty and can contain `=`.
package struct FieldSetting: Equatable, Sendable {
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

extension FieldSetting: ArgumentValue {
    package static let expectation = "the name of a field, '=' and its value, such as colour=red"

    package init?(argument: String) {
        guard let end = argument.firstIndex(of: "="), end > argument.startIndex else { return nil }
        self.init(String(argument[..<end]), String(argument[argument.index(after: end)...]))
    }
}
