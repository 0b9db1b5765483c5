import ArgumentParsing
import Invocations
import Testing

@testable import CLI

@Suite struct UsageErrorTests {
    @Test("the error names the problem and a fix", arguments: lines)
    func theErrorNamesTheProblemAndAFix(line: String, message: String, hint: String?) {
        let error = #expect(throws: UsageError.self) { try parse(line) }
        #expect(error?.message == message)
        #expect(error?.hint == hint)
    }

    private static let lines: [(String, String, String?)] = [
        ("attach --frm now", "Unknown option '--frm'.", "Did you mean '--from'?"),
        ("attach --form flat", "Unknown option '--form'.", "Did you mean '--format'?"),
        ("attach --env", "Unknown option '--env'.", "Did you mean '--envelope'?"),
        ("attach -from=1", "Unknown option '-from'.", "Did you mean '--from'?"),
        ("cancel x -V", "Unknown option '-V'.", nil),
        ("serve --on-deman", "Unknown option '--on-deman'.", nil),
        ("status --on-demand", "Unknown option '--on-demand'.", nil),
        ("status --from 1", "'--from' is an option of 'acpbridge attach', not of 'acpbridge status'.", nil),
        (
            "serve --all",
            "'--all' is an option of 'acpbridge attach', 'acpbridge sessions' and 'acpbridge agents', "
                + "not of 'acpbridge serve'.", nil
        ),
        (
            "--listen :0", "'--listen' is an option of 'acpbridge serve', not of 'acpbridge stdio'.",
            "Write the subcommand first: 'acpbridge serve --listen'."
        ),
        ("attach x --from", "'--from' needs a value: start|now|N.", nil),
        ("attach x --from --pretty", "'--from' needs a value: start|now|N.", nil),
        ("attach x --from -- y", "'--from' needs a value: start|now|N.", nil),
        (
            "attach x --from -5", "'--from' needs a value: start|now|N.",
            "If the value begins with '-', write '--from=-5'."
        ),
        (
            "attach x --from=-5",
            "Invalid value '-5' for '--from': expected 'start', 'now' or the number of an update, 1 or higher.", nil
        ),
        (
            "attach x --from strat",
            "Invalid value 'strat' for '--from': expected 'start', 'now' or the number of an update, 1 or higher.",
            "Did you mean 'start'?"
        ),
        (
            "serve --log-level debog",
            "Invalid value 'debog' for '--log-level': expected 'error', 'warning', 'info' or 'debug'.",
            "Did you mean 'debug'?"
        ),
        (
            "serve --durability=ful", "Invalid value 'ful' for '--durability': expected 'normal', 'full' or 'hub'.",
            "Did you mean 'full'?"
        ),
        (
            "serve --limit agent-memory=1",
            "Invalid value 'agent-memory=1' for '--limit': expected agent-memory=VALUE with a size from 1KiB to 1TiB, "
                + "such as 64MiB.", nil
        ),
        (
            "serve --limit agent-memori=1GiB",
            "Invalid value 'agent-memori=1GiB' for '--limit': expected NAME=VALUE, such as connections=100, line=128MiB "
                + "or admission=5s.", "Did you mean 'agent-memory'?"
        ),
        (
            "usage --by dya", "Invalid value 'dya' for '--by': expected 'agent', 'day' or 'folder'.",
            "Did you mean 'day'?"
        ),
        ("usage --by", "'--by' needs a value: KIND.", nil),
        ("serve --no-tcp=yes", "'--no-tcp' does not take a value.", nil),
        ("attach x --help=yes", "'--help' does not take a value.", nil),
        ("--agent a --agent=b", "'--agent' was given more than once.", "Keep the one that you mean."),
        ("--agent=", "Invalid value '' for '--agent': expected non-empty text.", nil),
        (
            "serve --no-tcp --listen :0", "'--no-tcp' and '--listen' cannot be used together.",
            "Keep the one that you mean."
        ),
        (
            "serve --tls-cert a.pem", "'--tls-cert' and '--tls-key' must be used together.",
            "Name both files; one file can contain both."
        ),
        (
            "serve --no-tcp --tls-cert a.pem --tls-key b.pem", "'--no-tcp' and '--tls-cert' cannot be used together.",
            "TLS applies only to TCP addresses."
        ),
        (
            "attach a b --take", "'--take' continues one session.",
            "Name one session, or use '--pretty' to read several."
        ),
        (
            "attach --running x", "'--running' and SESSION cannot be used together.",
            "'--running' means all running sessions."
        ),
        (
            "attach a b --from 3", "'--from N' is the number of an update of one session.",
            "Use '--since', '--tail N' or '--from now' with several sessions, or name one session."
        ),
        (
            "attach a --tail 3 --since 1h", "'--since' and '--tail' cannot be used together.",
            "Both say where to begin."
        ),
        (
            "attach x --pretty --envelope", "'--pretty' and '--envelope' cannot be used together.",
            "'--pretty' is for people, '--envelope' is for programs."
        ),
        (
            "attach x --format flat --pretty", "'--format' and '--pretty' cannot be used together.",
            "Keep the one that you mean."
        ),
        (
            "attach x --format lines --all", "'--all' cannot be used together with '--format lines'.",
            "Only updates are lines of the agent; 'envelope', 'flat' and 'pretty' have the other entries."
        ),
        (
            "attach x --kinds plan,,tool",
            "Invalid value 'plan,,tool' for '--kinds': expected words separated by single commas, without spaces.", nil
        ),
        (
            "prompt", "Missing argument: SESSION.",
            "Write 'latest', an id, the beginning of an id, or a title; 'acpbridge sessions' lists them."
        ),
        (
            "answer s --option a --decline", "'--option' and '--decline' cannot be used together.", "Give one answer."
        ),
        (
            "run --url ws://h --command x", "'--command' and '--url' cannot be used together.",
            "The bridge there starts the agent by its profile."
        ),
        ("answer s --field a=b --cancel", "'--field' and '--cancel' cannot be used together.", "Give one answer."),
        ("answer --accept", "Missing argument: SESSION.", "'acpbridge answer' lists the requests that wait."),
        (
            "answer s --field a",
            "Invalid value 'a' for '--field': expected the name of a field, '=' and its value, such as colour=red.", nil
        ),
        (
            "answer s --field =a",
            "Invalid value '=a' for '--field': expected the name of a field, '=' and its value, such as colour=red.",
            nil
        ),
        (
            "set latest mode only plan",
            "Unexpected argument 'plan': 'acpbridge set' takes only SESSION, SETTING and VALUE.",
            "A value with spaces must be in quotes."
        ),
        (
            "cancel a b", "Unexpected argument 'b': 'acpbridge cancel' takes only SESSION.",
            "A value with spaces must be in quotes."
        ),
        ("completions zsh now", "Unexpected argument 'now': 'acpbridge completions' takes only SHELL.", nil),
        ("set x level -1", "Unknown option '-1'.", "If '-1' is not an option, write '--' before it."),
        ("set x level 5 -1", "Unknown option '-1'.", nil),
        ("run -frmo", "Unknown option '-frmo'.", "If '-frmo' is not an option, write '--' before it."),
        ("stdio --frmo", "Unknown option '--frmo'.", nil),
        ("status now", "Unexpected argument 'now': 'acpbridge status' takes no arguments.", nil),
        ("completions", "Missing argument: SHELL.", "Write 'bash', 'zsh' or 'fish'."),
        ("completions fsh", "Invalid value 'fsh' for SHELL: expected 'bash', 'zsh' or 'fish'.", "Did you mean 'fish'?"),
    ]

    @Test func theHintForAnUnknownSubcommandNamesTheNearestOneAndHowToRunAProgram() {
        let error = #expect(throws: UsageError.self) { try parse("atach --flag") }
        #expect(error?.message == "Unknown subcommand 'atach'.")
        #expect(error?.hint?.contains("Did you mean 'attach'?") == true)
        #expect(error?.hint?.contains("'acpbridge --agent atach'") == true)
        #expect(error?.hint?.contains("'acpbridge -- atach'") == true)
    }

    @Test(arguments: [
        ("ls", "'sessions'"), ("ps", "'sessions'"), ("version", "'--version'"), ("kill", "'stop'"), ("new", "'run'"),
        ("resume", "'run --resume'"), ("continue", "'run --resume'"), ("rm", "'delete'"), ("remove", "'delete'"),
        ("kill-session", "'stop'"), ("mv", "'rename'"), ("mode", "'set'"), ("model", "'set'"),
    ])
    func commonSynonymsOfSubcommandsAreSuggested(word: String, meant: String) {
        let error = #expect(throws: UsageError.self) { try parse(word) }
        #expect(error?.hint?.hasPrefix("Did you mean \(meant)?") == true)
    }

    @Test func aUsageErrorOfHelpPointsToTheOverview() {
        let error = #expect(throws: UsageError.self) { try parse("help nothing") }
        #expect(error?.description.hasSuffix("Try 'acpbridge help'.") == true)
    }

    @Test func anUnknownWordWithShellCharactersIsNotSuggestedAsACommand() {
        let error = #expect(throws: UsageError.self) { try CommandLineInterface.parse(["my agent; rm"]) }
        #expect(error?.message == "Unknown subcommand 'my agent; rm'.")
        #expect(error?.hint?.contains("'acpbridge -- COMMAND'") == true)
    }

    @Test("the error without an agent explains the setup", arguments: [[], ["stdio"], ["--"], ["stdio", "--"]])
    func theErrorWithoutAnAgentExplainsTheSetup(arguments: [String]) {
        let error = #expect(throws: UsageError.self) { try CommandLineInterface.parse(arguments) }
        #expect(error?.message == "No agent to run.")
        #expect(error?.hint?.contains("editor's settings") == true)
        #expect(error?.hint?.contains("'acpbridge agents'") == true)
        #expect(error?.hint?.contains("acpbridge run") == true)
        #expect(error?.hint?.split(separator: "\n").allSatisfy { $0.count <= 80 } == true, "a terminal cuts no word")
        #expect(error?.description.contains("Try 'acpbridge help") == true)
    }

    @Test(arguments: [["--", ""], ["stdio", "", "x"]])
    func anEmptyCommandIsRejected(arguments: [String]) {
        #expect(throws: UsageError.self) { try CommandLineInterface.parse(arguments) }
    }

    @Test func theDescriptionEndsWithThePointerToTheHelp() {
        let error = #expect(throws: UsageError.self) { try parse("attach --fro") }
        #expect(
            error?.description == """
                Unknown option '--fro'.
                Did you mean '--from'?
                Try 'acpbridge help attach'.
                """)
    }

    @Test("any words parse to an invocation or a usage error")
    func anyWordsParseToAnInvocationOrAUsageError() {
        var generator = SplitMix64(state: 7717)
        let pieces =
            SubcommandName.choices + ["--", "-", "=", "", "-h", "--agent", ":", "[", "]", "ws://", "unix:", ","]
            + SubcommandName.allCases.flatMap { $0.subcommand.options.map(\.longName) }
            + [
                "\u{0}", "é", "\u{1F469}\u{200D}\u{1F4BB}", "\u{301}", "\r\n", "99999999999999999999", "65536", "%",
                "1",
            ]
        for _ in 0..<20_000 {
            let words = (0..<Int.random(in: 0...5, using: &generator)).map { _ in
                (0..<Int.random(in: 1...3, using: &generator)).map { _ in
                    pieces[Int.random(in: 0..<pieces.count, using: &generator)]
                }.joined()
            }
            do throws(UsageError) {
                _ = try CommandLineInterface.parse(words)
            } catch {
                #expect(!error.message.isEmpty)
            }
        }
    }
}

/// A generator with a fixed seed, so that every run tests the same words.
private struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
