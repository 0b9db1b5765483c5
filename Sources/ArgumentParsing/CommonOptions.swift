extension Option {
    static var version: Self {
        Option(
            description: OptionDescription(name: "version", makeHelp: { "Show the version." }),
            effect: .request(.version))
    }

    static var help: Self {
        Option(
            description: OptionDescription(name: "help", shortName: "h", makeHelp: { "Show help information." }),
            effect: .request(.help))
    }
}

extension OptionDescription {
    /// True for options of every subcommand, which usage lines omit.
    package var isCommon: Bool { Self.common.contains { $0.name == name } }

    package static let common = [Option<Void>.version.description, Option<Void>.help.description]
}

extension Option {
    /// This option for a structure that contains this option's structure.
    package func embedded<Outer>(in path: @autoclosure @escaping LazyPath<Outer, Values>)
        -> Option<Outer>
    {
        switch effect {
        case .request(let request):
            Option<Outer>(description: description, effect: .request(request))
        case .store(let store):
            Option<Outer>(description: description, effect: .store { store(&$0[keyPath: path()], $1) })
        }
    }
}
