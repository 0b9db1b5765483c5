extension SubcommandName {
    /// The subcommand's row in the table.
    var subcommand: Subcommand {
        switch self {
        case .stdio: .stdio
        case .serve: .serve
        case .attach: .attach
        case .connect: .connect
        case .prompt: .prompt
        case .cancel: .cancel
        case .sessions: .sessions
        case .agents: .agents
        case .token: .token
        case .status: .status
        case .stop: .stop
        case .help: .help
        case .man: .man
        case .completions: .completions
        }
    }
}
