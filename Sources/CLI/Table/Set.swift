import ArgumentParsing
import Invocations

extension Subcommand {
    static let set = Subcommand(
        .set,
        abstract: "Show or change a session's mode, model and other settings",
        discussion: [
            """
            The agent decides which settings there are. Without SETTING, all are listed with their values. With SETTING \
            alone, the values to choose from are listed. A change is the same as in an editor, and every client sees it.
            """
        ],
        syntax: Syntax(
            initial: SetOptions(session: ""),
            options: [.json(sets: \.json)] + Option.connection(in: \.connection),
            operands: [
                .session(into: \.session, completion: .runningSession),
                .optional(
                    "SETTING", into: \.setting, completion: .setting, help: "The setting, such as mode or model."),
                .optional("VALUE", into: \.value, completion: .settingValue, help: "The new value or its name."),
            ],
            finish: { (options, topic) throws(UsageError) in
                if options.json, options.value != nil {
                    throw UsageError(
                        "'--json' and a VALUE cannot be used together.", hint: "A change prints nothing.", topic: topic)
                }
                return .set(options)
            }),
        examples: [
            Example(purpose: "List what can be set", command: "acpbridge set latest"),
            Example(purpose: "Let the agent edit files", command: "acpbridge set latest mode code"),
        ])
}
