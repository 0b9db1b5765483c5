import ArgumentParsing
import Invocations

extension SubcommandName {
    /// The subcommand's row in the table.
    var subcommand: Subcommand {
        switch self {
        case .stdio: .stdio
        case .serve: .serve
        case .attach: .attach
        case .connect: .connect
        case .prompt: .prompt
        case .answer: .answer
        case .cancel: .cancel
        case .sessions: .sessions
        case .set: .set
        case .rename: .rename
        case .delete: .delete
        case .tag: .tag
        case .archive: .archive
        case .diff: .diff
        case .export: .export
        case .import: .import
        case .search: .search
        case .usage: .usage
        case .agents: .agents
        case .token: .token
        case .share: .share
        case .notify: .notify
        case .open: .open
        case .status: .status
        case .stop: .stop
        case .config: .config
        case .hub: .hub
        case .audit: .audit
        case .run: .run
        case .login: .login
        case .doctor: .doctor
        case .setup: .setup
        case .help: .help
        case .man: .man
        case .completions: .completions
        }
    }

    /// The names of the subcommands that have this option in their help.
    ///
    /// - Parameter option: The option with its dashes.
    @Sendable static func owners(of option: String) -> [String] {
        allCases.filter { $0.subcommand.visibleOptions.contains { $0.matches(option) } }.map(\.rawValue)
    }
}

extension CommandTopic {
    static func acpbridge(_ name: SubcommandName?) -> CommandTopic {
        CommandTopic(program: "acpbridge", subcommand: name?.rawValue, defaultSubcommand: SubcommandName.stdio.rawValue)
    }
}
