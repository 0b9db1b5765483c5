import DemoPrompts

/// The arguments of `acpbridge-demo-agent`.
struct CommandLineArguments: Equatable {
    var forcedVersion: ProtocolVersion?
    /// With a seed, ids, texts and times are the same in each process.
    var seed: UInt64?
    var isOlder = false
    /// Sessions are stored in ``SessionFolder/usual(_:)`` if `ACP_DEMO_STATE` names no folder.
    var stores = false
    var showsHelp = false

    struct Invalid: Error, Equatable {
        let message: String
    }

    static func parse(_ arguments: some Sequence<String>) throws(Invalid) -> CommandLineArguments {
        var parsed = CommandLineArguments()
        var rest = Array(arguments)[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--v1": parsed.forcedVersion = .one
            case "--v2": parsed.forcedVersion = .two
            case "--older": parsed.isOlder = true
            case "--store": parsed.stores = true
            case "--help", "-h": parsed.showsHelp = true
            case "--seed":
                guard let seed = rest.popFirst().flatMap({ UInt64($0) }) else {
                    throw Invalid(message: "--seed needs a number")
                }
                parsed.seed = seed
            default: throw Invalid(message: "unknown argument: \(argument)")
            }
        }
        return parsed
    }
}

extension CommandLineArguments {
    /// The text of `--help`.
    static var help: String {
        """
        acpbridge-demo-agent: an ACP agent over stdio that needs no network, no key and no model

        Usage: acpbridge-demo-agent [--v1 | --v2] [--seed N] [--older] [--store]

          --v1, --v2   answer every client with this version of ACP (default: the version that it asks for)
          --seed N     same ids, texts and times in each run, except that times advance with the clock
          --older      behave like an agent of an older draft of version 2
          --store      store sessions, so that a later process can continue them
          --help       show this text

        ACP_DEMO_PACE_MS   milliseconds between chunks (default 30)
        ACP_DEMO_STATE     a folder to store sessions in. With --store the default is acpbridge-demo-agent in
                           $XDG_STATE_HOME or ~/.local/state, of which the newest \(SessionFolder.usualLimit) sessions are kept

        Words of a prompt:
        \(list(PromptHelp.common))

        Words of a prompt in version 2:
        \(list(PromptHelp.versionTwo))

        """
    }

    private static func list(_ words: [PromptHelp.Word]) -> String {
        words.map { "  \($0.words)\n      \($0.effect)" }.joined(separator: "\n")
    }
}
