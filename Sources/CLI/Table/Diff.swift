import ArgumentParsing
import Invocations

extension Subcommand {
    static let diff = Subcommand(
        .diff,
        abstract: "Show the changes of files that a session's agent has made",
        discussion: [
            """
            Prints the diffs of the session's tool calls, and of its subagents, as one unified diff in the format of 'git \
            diff'. Changes of one file that follow each other exactly are one, from the first text to the last. Paths below \
            the session's folder are relative to it. Calls that failed, or were rejected, are left out.
            """,
            """
            Only what the agent reports is shown: not what its commands or other programs have changed. Some agents report \
            parts of files; the line numbers then count from the beginning of the part.
            """,
            "The exit status is 3 if the session does not exist.",
        ],
        syntax: Syntax(
            initial: DiffOptions(session: ""),
            options: [
                .flag("stat", sets: \.stat, help: "Print the number of changed lines of each file instead.")
            ] + Option.connection(in: \.connection),
            operands: [
                .session(into: \.session),
                .words(
                    "PATH", into: \.paths, completion: .file,
                    help: "Show only this file or folder. A relative path begins at the session's folder."),
            ],
            finish: { (options, _) in .diff(options) }),
        examples: [
            Example(purpose: "Show what the latest session has changed", command: "acpbridge diff latest"),
            Example(purpose: "Page through the changes of one folder", command: "acpbridge diff latest src | less"),
            Example(purpose: "Take the changes back", command: "acpbridge diff latest | git apply -R"),
        ])
}
