import ArgumentParsing
import Invocations

extension Subcommand {
    static let audit = Subcommand(
        .audit,
        abstract: "Check the audit log",
        discussion: [
            """
            The audit log (audit.log in the state folder) records who did what. Each line has a number and the hash of \
            the line before it. 'verify' checks all files of the log, prints the number and the hash of the last line, \
            and exits with 1 at the first bad line, which it names.
            """,
            """
            The files belong to the user of the bridge, who can also write a new chain or remove lines at the end. Only \
            an anchor that is stored elsewhere reveals that. The bridge writes anchors, the event 'audit_head', to its \
            own log (with --log-level info), which can be the journal of the system. --anchor compares one with the files.
            """,
        ],
        syntax: Syntax(
            // Never used: ACTION is required.
            initial: AuditOptions(action: .verify),
            options: [
                .values(
                    "anchor", "NUMBER:HASH", into: \.anchors,
                    help: "The log must contain the line with this number and this hash. Can be repeated."),
                .json(sets: \.json),
            ],
            operands: [
                .required("ACTION", into: \.action, hintIfMissing: "Write 'verify'.", help: "verify."),
                .optional(
                    "FILE", into: \.file, completion: .file,
                    help: "Check this file, and FILE.1, FILE.2 and so on, instead of the bridge's."),
            ],
            finish: { (options, _) in .audit(options) }),
        examples: [
            Example(purpose: "Check the log of this bridge", command: "acpbridge audit verify"),
            Example(purpose: "Check a copy", command: "acpbridge audit verify /var/backups/audit.log"),
        ])
}
