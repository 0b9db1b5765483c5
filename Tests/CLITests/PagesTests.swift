import ArgumentParsing
import Invocations
import Posix
import Testing

@testable import CLI

private let topics: [SubcommandName?] = [nil] + SubcommandName.allCases

@Suite struct HelpPageTests {
    @Test(arguments: topics)
    func everyPageIsASCIIAndFits80Columns(topic: SubcommandName?) {
        let page = CommandLineInterface.help(about: topic)
        for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
            #expect(line.count <= 80)
            #expect(line.last != " ")
        }
        #expect(page.utf8.allSatisfy { $0 == 0x0A || (0x20..<0x7F).contains($0) })
        #expect(page.hasSuffix("\n") && !page.hasSuffix("\n\n"))
    }

    @Test(arguments: topics)
    func everyPageEndsWithExamples(topic: SubcommandName?) throws {
        let page = CommandLineInterface.help(about: topic)
        #expect(page.hasPrefix("OVERVIEW: "))
        #expect(page.contains("\nUSAGE: acpbridge"))
        let last = try #require(page.split(separator: "\n\n").last)
        #expect(last.hasPrefix("EXAMPLES:\n"))
    }

    @Test(arguments: SubcommandName.allCases)
    func everyPageNamesAllOptionsAndOperands(name: SubcommandName) {
        let page = CommandLineInterface.help(about: name)
        for option in name.subcommand.options {
            #expect(page.contains("\n  \(option.label)") == !option.isHidden, "\(option.label)")
            #expect(!option.isHidden || !page.contains(option.name))
        }
        for operand in name.subcommand.operands { #expect(page.contains("\n  \(operand.name)")) }
        #expect(CommandLineInterface.help(about: nil).contains("\n  \(name.rawValue) "))
    }

    @Test("every example parses", arguments: SubcommandName.allCases)
    func everyExampleParses(name: SubcommandName) throws {
        for example in name.subcommand.examples + Program.examples where example.command.hasPrefix("acpbridge") {
            let words = example.command.split(separator: " ").dropFirst().prefix { $0 != "|" && $0 != ">" }
            #expect(throws: Never.self) { try CommandLineInterface.parse(words.map(String.init)) }
        }
    }

    @Test func theLayoutMatchesArgumentParser() {
        let page = CommandLineInterface.help(about: .serve)
        #expect(
            page.contains(
                """
                USAGE: acpbridge serve [--listen HOST:PORT]... [--no-tcp] [--tls-cert FILE]
                           [--tls-key FILE] [--behind-proxy] [--public-url URL]
                           [--trusted-proxy ADDRESS]... [--deflate] [--deflate-all]
                """))
        #expect(
            page.contains(
                """
                [--replace]

                OPTIONS:
                  --listen HOST:PORT      Accept WebSocket connections at this address, in
                                          addition to the Unix socket.
                """))
        #expect(
            CommandLineInterface.help(about: .attach).contains("\n  -h, --help              Show help information.\n"))
        #expect(CommandLineInterface.help(about: nil).contains("\n  stdio (default)         "))
    }

    @Test func theOverviewListsEnvironmentAndExitStatus() {
        let page = CommandLineInterface.help(about: nil)
        for word in [
            "ACPBRIDGE_HOME", "ACPBRIDGE_TOKEN", "ACPBRIDGE_URL", "\n  3 ", "\n  64 ", "\n  78 ", "\n  126 ",
            "\n  127 ",
        ] {
            #expect(page.contains(word))
        }
    }
}

@Suite struct FilesTests {
    @Test func theListedPathsAreTheDefaultPaths() throws {
        let home = try Home(environment: ["HOME": "/home/u", "XDG_RUNTIME_DIR": "/run/u"], user: 1000)
        let listed = Program.files.map { file in
            file.name.replacing("$XDG_RUNTIME_DIR", with: "/run/u").replacing("~", with: "/home/u")
        }
        #expect(
            listed == [
                home.socket, home.daemonLock, home.log, home.daemonOutput, home.audit, home.token, home.tokens,
                home.settings, home.notifications, home.agents,
            ])
    }

    @Test func theDescriptionsNameTheDefaultFolders() throws {
        let home = try Home(environment: [:], user: 1000, homeFolder: { _ in "~" })
        let defaults = [
            "XDG_RUNTIME_DIR": home.runtime.replacing("1000", with: "UID"), "XDG_STATE_HOME": home.state,
            "XDG_CONFIG_HOME": home.configuration,
        ]
        for (name, folder) in defaults {
            let meaning = Program.environment.first { $0.name == name }?.meaning
            #expect(meaning?.contains(folder) == true, "\(name): \(folder)")
        }
    }
}

@Suite struct ManPageTests {
    private let page = CommandLineInterface.manPage(version: "1.2-beta")

    @Test func theManPageNamesEveryOption() {
        for option in SubcommandName.allCases.flatMap(\.subcommand.options) {
            let written = option.longName.replacingEach(["-": "\\-"])
            #expect(page.contains("\\fB\(written)") || page.contains(", \(written)") || option.isHidden)
            #expect(!option.isHidden || !page.contains(written))
        }
    }

    @Test(arguments: [
        "NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "SUBCOMMANDS", "ENVIRONMENT", "FILES", "EXIT STATUS",
        "EXAMPLES",
    ])
    func theManPageHasEachStandardSection(title: String) {
        #expect(page.contains("\n.SH \(title)\n"))
    }

    @Test func theManPageBeginsWithTitleAndVersion() {
        #expect(page.hasPrefix(".TH ACPBRIDGE 1 \"\" \"acpbridge 1.2\\-beta\" \"User Commands\"\n"))
    }

    @Test func textIsNeverReadAsARoffRequest() {
        #expect(Roff.text(".SH x") == "\\&.SH x")
        #expect(Roff.text("'br") == "\\(aqbr")
        #expect(Roff.text("a\\b --c ~/d ^e `f`") == "a\\eb \\-\\-c \\(ti/d \\(hae \\(gaf\\(ga")
        #expect(Roff.argument("say \"hi\"") == "\"say \\(dqhi\\(dq\"")
    }
}

@Suite struct CompletionsTests {
    @Test(arguments: Shell.allCases)
    func completionsNameEverySubcommandAndOption(shell: Shell) {
        let script = CommandLineInterface.completions(for: shell)
        for subcommand in SubcommandName.allCases.map(\.subcommand) {
            #expect(script.contains(subcommand.name.rawValue))
            for option in subcommand.options {
                let written = shell == .fish ? "-l \(option.name)" : option.longName
                #expect(script.contains(written) == !option.isHidden, "\(option.name)")
                for choice in option.choices { #expect(script.contains(choice)) }
            }
        }
        #expect(script.hasSuffix("\n"))
    }

    @Test(arguments: Shell.allCases)
    func completionsQueryTheBridgeForAgentsAndSessions(shell: Shell) {
        let script = CommandLineInterface.completions(for: shell)
        #expect(script.contains("acpbridge agents --json 2>/dev/null"))
        #expect(script.contains("acpbridge sessions --all --json 2>/dev/null"))
        #expect(script.contains("acpbridge sessions --json 2>/dev/null"))
        #expect(script.contains(#"| grep '"live":false' |"#))
        #expect(script.contains(#"acpbridge status --json 2>/dev/null | grep -oE '"peers""#))
        #expect(script.contains("acpbridge set --json -- "))
    }

    @Test func bashOffersNothingWhereThereAreNoChoices() {
        let script = CommandLineInterface.completions(for: .bash)
        #expect(!script.contains(#"printf '%s\n' )"#))
        #expect(script.contains("'set '0 | 'set -- '0)") && !script.contains("'rename '1"))
        #expect(script.contains("'delete '* | 'delete -- '*)"))
    }

    @Test(arguments: Shell.allCases)
    func titlesWithoutSpacesAreOfferedBesideIds(shell: Shell) {
        #expect(CommandLineInterface.completions(for: shell).contains(#"grep -oE '"(sessionId|title)" *:"#))
    }

    @Test func menusShowOnlyTheFirstSentence() {
        #expect(CompletionSource.summary("Do this. Then that.") == "Do this")
        #expect(
            CompletionSource.summary("Such as https://app.example, or a.b. Can be repeated.")
                == "Such as https://app.example, or a.b")
        #expect(CompletionSource.summary("") == "")
    }
}
