import ArgumentParsing
import Invocations

extension Subcommand {
    static let doctor = Subcommand(
        .doctor,
        abstract: "Check this machine, and name the command that fixes each fault",
        discussion: [
            """
            Checks the program, folders, settings, disk, agents and the running bridge. Changes nothing, and starts no \
            bridge. Each line is 'ok', 'note', 'warning' or 'fault', and is followed by what to do. The exit status is \
            1 if there is a fault.
            """
        ],
        syntax: Syntax(
            initial: DoctorOptions(), options: [.json(sets: \.json)], finish: { (options, _) in .doctor(options) }),
        examples: [
            Example(purpose: "Check this machine", command: "acpbridge doctor"),
            Example(
                purpose: "Print only the faults, in a script",
                command: "acpbridge doctor --json | jq 'select(.level == \"fault\")'"),
        ])
}
