extension Option {
    static var version: Self {
        Option(
            description: OptionDescription(name: "version", help: "Show the version."),
            effect: .answer { _ in .version })
    }

    static var help: Self {
        Option(
            description: OptionDescription(name: "help", shortName: "h", help: "Show help information."),
            effect: .answer { .help(about: $0) })
    }

    static func json(sets path: WritableKeyPath<Values, Bool> & Sendable) -> Self {
        .flag("json", sets: path, help: "Print JSON, one object per line.")
    }
}

extension OptionDescription {
    /// True for options of every subcommand, which usage lines omit.
    var isCommon: Bool { Self.common.contains { $0.name == name } }

    static let common = [Option<Void>.version.description, Option<Void>.help.description]
}

extension Option<ConnectionOptions> {
    /// The bridge to connect to. Every subcommand that queries a bridge has these options.
    static var connection: [Self] {
        [
            .value(
                "url", "URL", into: \.url, default: "your own bridge's Unix socket",
                help: "The bridge to connect to: ws://HOST:PORT, wss://HOST or unix:PATH."),
            .value(
                "token-file", "FILE", into: \.tokenFile, completion: .file, default: "$ACPBRIDGE_TOKEN",
                help: "Read the access token from this file."),
            .value(
                "ca-file", "FILE", into: \.authoritiesFile, completion: .file, default: "the system's authorities",
                help: "For wss://: trust only the certificates in this PEM file."),
        ]
    }
}

extension Option {
    /// The connection options, for a subcommand that stores them at `path`.
    static func connection(
        in path: WritableKeyPath<Values, ConnectionOptions> & Sendable
    ) -> [Self] {
        Option<ConnectionOptions>.connection.map { $0.embedded(in: path) }
    }

    /// The credentials, for a subcommand that names the bridge in another way.
    static func access(in path: WritableKeyPath<Values, ConnectionOptions> & Sendable) -> [Self] {
        Option<ConnectionOptions>.connection.filter { $0.description.name != "url" }.map { $0.embedded(in: path) }
    }

    /// This option for a structure that contains this option's structure.
    private func embedded<Outer>(in path: WritableKeyPath<Outer, Values> & Sendable) -> Option<Outer> {
        switch effect {
        case .answer(let answer):
            Option<Outer>(description: description, effect: .answer(answer))
        case .store(let store):
            Option<Outer>(description: description, effect: .store { store(&$0[keyPath: path], $1) })
        }
    }
}
