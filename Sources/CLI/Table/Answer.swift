import ArgumentParsing
import Invocations

extension Subcommand {
    static let answer = Subcommand(
        .answer,
        abstract: "Answer an agent's permission requests, forms and pages to open",
        discussion: [
            """
            Without a session, lists the requests that wait for an answer, the longest waiting first. With a session, \
            asks you for the answers on a terminal; otherwise lists the session's requests, with those of its \
            subagents and the logins of its agent. A request without a session, such as a login, is listed under the \
            agent's process id, for example pid:4711.
            """,
            """
            With --option, --accept, --decline or --cancel, answers one request without asking: REQUEST, or the only \
            one that waits. The first valid answer of any client counts. A form's values are checked against its \
            schema, except for patterns and the formats of texts other than dates.
            """,
            """
            The exit status is 1 if the request does not wait or another client was faster, 3 if the session does not \
            exist, and 64 if the request does not take this answer.
            """,
        ],
        syntax: Syntax(
            initial: AnswerOptions(),
            options: [
                .value("option", "ID", into: \.option, help: "Choose this option of a permission request."),
                .flag("accept", sets: \.accept, help: "Send a form, or agree to open a page."),
                .values(
                    "field", "NAME=VALUE", into: \.fields,
                    help: "Set a field of a form, with --accept. Other fields have the agent's default."),
                .flag("decline", sets: \.decline, help: "Refuse to answer a form or to open a page."),
                .flag("cancel", sets: \.cancel, help: "Dismiss the request."),
                .json(sets: \.json),
            ] + Option.connection(in: \.connection),
            operands: [
                .optional(
                    "SESSION", into: \.session, completion: .runningSession,
                    help: "The session whose agent asks, as for 'attach', or pid:PID."),
                .optional("REQUEST", into: \.request, help: "The agent's id of the request, as it is listed."),
            ],
            finish: { (options, topic) throws(UsageError) in .answer(try options.checked(topic: topic)) }),
        examples: [
            Example(purpose: "List what waits for an answer", command: "acpbridge answer"),
            Example(purpose: "Be asked for the answers", command: "acpbridge answer latest"),
            Example(
                purpose: "Answer a permission request", command: "acpbridge answer demo-17 5 --option allow"),
            Example(
                purpose: "Fill in a form",
                command: "acpbridge answer demo-17 --accept --field topic=sea --field lines=3"),
        ])
}

extension AnswerOptions {
    fileprivate func checked(topic: CommandTopic) throws(UsageError) -> AnswerOptions {
        if answers.count > 1 {
            throw UsageError(
                "'\(answers[0])' and '\(answers[1])' cannot be used together.", hint: "Give one answer.", topic: topic)
        }
        if isAnswer, session == nil {
            throw UsageError(
                "Missing argument: SESSION.", hint: "'acpbridge answer' lists the requests that wait.", topic: topic)
        }
        return self
    }
}
