import ArgumentParsing
import Invocations

extension Subcommand {
    static let export = Subcommand(
        .export,
        abstract: "Write a session to a file, without tokens of known forms",
        discussion: [
            """
            Writes the stored timeline: prompts, messages, tool calls, permissions. ndjson has everything and can be \
            imported again. markdown and html are for people; the HTML file is complete, and has no scripts. asciicast \
            is a recording for 'asciinema play'.
            """,
            "The session's subagents follow it in the file, each after its parent. A recording has only the session.",
            """
            Tokens of known forms (API keys, private keys, passwords in URLs) become [redacted]. A secret without such \
            a form, for example a password, needs a rule of its own. Check a file before you publish it.
            """,
            "The exit status is 3 if the session does not exist.",
        ],
        syntax: Syntax(
            initial: ExportOptions(session: ""),
            options: [
                .value(
                    "format", "FORMAT", into: \.format, default: "that of FILE's name, or ndjson",
                    help: """
                        The format of the output. Without it, a FILE that ends in .md, .markdown, .html, .htm or .cast has that \
                        format, and any other one ndjson.
                        """),
                .value(
                    "output", "FILE", into: \.output, completion: .file, default: "stdout",
                    help: """
                        Write to this file, with mode 0600. It is replaced after everything has been read. '-' means standard \
                        output.
                        """),
                .values(
                    "redact", "REGEX", into: \.redact,
                    help: "Also replace texts that match this extended regular expression, as in grep -E."),
                .flag("keep-tokens", clears: \.hidesTokens, help: "Keep tokens of known forms."),
            ] + Option.connection(in: \.connection),
            operands: [.session(into: \.session)],
            finish: { (options, _) in .export(options) }),
        examples: [
            Example(
                purpose: "Write the latest session as one HTML file",
                command: "acpbridge export latest --format html --output session.html"),
            Example(
                purpose: "Hide the names of a company's hosts",
                command: "acpbridge export latest --format markdown --redact [a-z]+[.]corp[.]example"),
        ])

    static let `import` = Subcommand(
        .import,
        abstract: "Store an exported session as a new, ended session",
        discussion: [
            """
            Reads a file that 'acpbridge export' wrote in the format ndjson, and stores its timeline under a new \
            session id, 'imported-...'. Subagents in the file become subagents of the new session. No existing session \
            changes. Times stay, so that 'serve --retain' can delete an old session soon.
            """,
            """
            The whole file is checked before anything is stored. The exit status is 65 if a line cannot be imported, \
            which the error names, or if the end of the file is missing. A line has at most 7 MiB, and a file 1 GiB.
            """,
        ],
        syntax: Syntax(
            initial: ImportOptions(file: ""),  // Never used: FILE is required.
            options: [
                .value(
                    "agent", "NAME", into: \.agent, default: "the agent in the file",
                    help: "The agent's name in lists. Needed for a file without its first line."),
                .flag("check", sets: \.check, help: "Check the file, and store nothing."),
                .json(sets: \.json),
            ] + Option.connection(in: \.connection),
            operands: [
                .required(
                    "FILE", into: \.file, completion: .file, hintIfMissing: "Write an NDJSON export's path, or '-'.",
                    help: "The file to read; '-' for stdin.")
            ],
            finish: { (options, _) in .import(options) }),
        examples: [
            Example(purpose: "Store a session of another machine", command: "acpbridge import session.ndjson"),
            Example(purpose: "Without a file", command: "ssh other acpbridge export latest | acpbridge import -"),
        ])
}
