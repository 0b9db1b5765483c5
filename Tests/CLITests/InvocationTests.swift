import ArgumentParsing
import CLI
import Invocations
import Testing

@Suite struct InvocationTests {
    @Test("stdio is the default and leaves the agent's arguments unchanged", arguments: stdioLines)
    func stdioIsTheDefaultAndLeavesTheAgentsArgumentsUnchanged(line: String, expected: StdioOptions) throws {
        #expect(try parse(line) == .stdio(expected))
    }

    private static let stdioLines: [(String, StdioOptions)] = [
        ("--agent claude", StdioOptions(agent: "claude")),
        ("--agent=claude", StdioOptions(agent: "claude")),
        ("stdio --agent claude", StdioOptions(agent: "claude")),
        ("-- codex-acp --flag", StdioOptions(command: ["codex-acp", "--flag"])),
        ("stdio codex-acp --flag", StdioOptions(command: ["codex-acp", "--flag"])),
        ("stdio -- codex-acp --help", StdioOptions(command: ["codex-acp", "--help"])),
        ("-- kimi acp login", StdioOptions(command: ["kimi", "acp", "login"])),
        ("-- kimi -- --agent x", StdioOptions(command: ["kimi", "--", "--agent", "x"])),
        ("-- serve", StdioOptions(command: ["serve"])),
        ("stdio serve", StdioOptions(command: ["serve"])),
        ("--agent claude login --foo", StdioOptions(agent: "claude", command: ["login", "--foo"])),
        ("--agent claude --setup", StdioOptions(agent: "claude", command: ["--setup"])),
        ("--agent claude --setup=1 --help", StdioOptions(agent: "claude", command: ["--setup=1", "--help"])),
        ("--agent claude -- --agent other", StdioOptions(agent: "claude", command: ["--agent", "other"])),
        ("--agent claude login --agent other", StdioOptions(agent: "claude", command: ["login", "--agent", "other"])),
    ]

    @Test(arguments: serveLines)
    func serveParsesItsOptions(line: String, expected: ServeOptions) throws {
        #expect(try parse(line) == .serve(expected))
    }

    private static let serveLines: [(String, ServeOptions)] = [
        ("serve", ServeOptions()),
        ("serve --no-tcp --no-tcp", ServeOptions(noTCP: true)),
        ("serve --listen :0", ServeOptions(listen: [ListenAddress(host: "127.0.0.1", port: 0)])),
        (
            "serve --listen [::1]:7717 --listen=localhost:80",
            ServeOptions(listen: [ListenAddress(host: "::1", port: 7717), ListenAddress(host: "localhost", port: 80)])
        ),
        ("serve --deflate", ServeOptions(deflates: true)),
        ("serve --deflate-all", ServeOptions(deflatesForAll: true)),
        ("serve --tls-cert a.pem --tls-key=b.pem", ServeOptions(tlsCertificate: "a.pem", tlsKey: "b.pem")),
        ("serve --durability full", ServeOptions(durability: .full)),
        (
            "serve --log-level debug --log-format=json --log-file /var/log/bridge.log",
            ServeOptions(diagnostics: DiagnosticsOptions(level: .debug, format: .json, file: "/var/log/bridge.log"))
        ),
        ("serve --hub postgres://h/d", ServeOptions(hub: HubAddress(argument: "postgres://h/d"))),
        (
            "serve --hub postgres://h/d --hub-role serve",
            ServeOptions(hub: HubAddress(argument: "postgres://h/d"), hubRole: .serve)
        ),
        (
            "serve --hub postgres://h/d --hub-search",
            ServeOptions(hub: HubAddress(argument: "postgres://h/d"), hubSearch: true)
        ),
        (
            "serve --hub postgres://h/d --hub-commands all",
            ServeOptions(hub: HubAddress(argument: "postgres://h/d"), hubCommands: .all)
        ),
        ("serve --no-agents", ServeOptions(noAgents: true)),
        (
            "serve --peer wss://b --token-file t --peer unix:/run/c.sock",
            ServeOptions(
                peers: [PeerAddress(url: "wss://b"), PeerAddress(url: "unix:/run/c.sock")], tokenFiles: ["t"])
        ),
        ("serve --on-demand", ServeOptions(isOnDemand: true)),
        ("serve --config /etc/c.json", ServeOptions(configurationFile: "/etc/c.json")),
    ]

    @Test(arguments: [
        "serve --token-file t", "serve --peer wss://b --token-file t --token-file u",
        "serve --hub postgres://h/d --hub-role both --peer wss://b", "serve --peer b", "serve --peer wss://",
        "serve --peer wss://me:secret@b", "serve" + String(repeating: " --peer wss://b", count: 17),
    ])
    func peersThatCannotBeUsedAreRefused(line: String) {
        #expect(throws: UsageError.self) { try parse(line) }
    }

    @Test(arguments: [
        PeerAddress(url: "wss://b"), PeerAddress(url: "wss://b/tinyvex", tokenFile: "/a b/t", name: "my laptop"),
        PeerAddress(url: "unix:/run/b.sock", authoritiesFile: "/c", name: "b"),
        PeerAddress(url: "ws://[::1]:7", tokenFile: "/t", authoritiesFile: "/c"),
    ])
    func aPeersTextHasAllItsParts(peer: PeerAddress) {
        #expect(PeerAddress(argument: peer.description) == peer)
    }

    @Test func repeatedOriginsAreCollected() throws {
        guard
            case .serve(let options) = try parse("serve --allow-origin https://A.example --allow-origin http://b:3000")
        else { throw WrongCase() }
        #expect(options.allowOrigins.map(\.description) == ["https://a.example", "http://b:3000"])
    }

    @Test(arguments: [
        ("open", OpenOptions()), ("open --print", OpenOptions(prints: true)),
        (
            "open --phone --role observe --ttl 12h --name x",
            OpenOptions(phone: true, role: .observe, life: .seconds(43_200), name: "x")
        ),
    ])
    func openParsesItsOptions(line: String, expected: OpenOptions) throws {
        #expect(try parse(line) == .open(expected))
    }

    @Test(arguments: ["open --phone --print", "open --ttl 0s", "open --role root", "open --address h", "open x"])
    func openRejectsWrongOptions(line: String) { #expect(throws: UsageError.self) { try parse(line) } }

    @Test(arguments: tokenLines)
    func tokenParsesItsOptions(line: String, expected: TokenOptions) throws {
        #expect(try parse(line) == .token(expected))
    }

    private static let tokenLines: [(String, TokenOptions)] = [
        ("token create --role observe", TokenOptions(action: .create, role: .observe)),
        (
            "token create --role admin --ttl 30d --name phone --json",
            TokenOptions(action: .create, role: .admin, life: .seconds(30 * 86_400), name: "phone", json: true)
        ),
        ("token list", TokenOptions(action: .list)),
        ("token revoke tk_3f9a01c2", TokenOptions(action: .revoke, id: "tk_3f9a01c2")),
    ]

    @Test(arguments: [
        "token", "token make", "token create", "token create --role root", "token create --role observe --ttl 0s",
        "token create --role observe --ttl 500ms", "token create --role observe --ttl 5y",
        "token create --role observe --ttl 9999999999999999999d",
        "token create --role observe tk_1", "token list --role admin", "token revoke", "token revoke tk_1 --name x",
        "token list tk_1",
    ])
    func tokenRejectsOptionsThatItsActionDoesNotTake(line: String) {
        #expect(throws: UsageError.self) { try parse(line) }
    }

    @Test(arguments: attachLines)
    func attachParsesItsOptions(line: String, expected: AttachOptions) throws {
        #expect(try parse(line) == .attach(expected))
    }

    @Test func onATerminalTheConversationIsShownUnlessAnotherFormIsChosen() throws {
        for (line, isPretty) in [
            ("attach", true), ("attach x --tail 3", true), ("attach --format lines", false), ("attach --all", false),
            ("attach --envelope", false), ("attach --kinds plan", false), ("attach --format flat", false),
        ] {
            guard case .attach(let options) = try parse(line) else {
                Issue.record("\(line) is not attach")
                continue
            }
            #expect(options.shown(onTerminal: true).pretty == isPretty, "\(line)")
            #expect(options.shown(onTerminal: false) == options, "\(line)")
        }
    }

    @Test func aVariableNamesTheBridgeOfCommandsWithoutTheOption() throws {
        func parse(_ words: String, _ url: String?) throws -> Invocation {
            try CommandLineInterface.parse(words.split(separator: " ").map(String.init), url: url)
        }
        let there = "unix:/there"
        let connection = ConnectionOptions(url: BridgeURL(argument: there))
        #expect(try parse("status", there) == .status(ReportOptions(connection: connection)))
        #expect(try parse("prompt x -- --url y", there) == parse("prompt --url \(there) x -- --url y", nil))
        #expect(try parse("status --url unix:/here", there) == parse("status --url unix:/here", nil))
        #expect(try parse("status", "") == parse("status", nil))
        #expect(try parse("doctor", there) == parse("doctor", nil))
        #expect(try parse("--agent a", there) == parse("--agent a", nil))
        for words in ["status", "run --command x"] {
            let error = #expect(throws: UsageError.self) {
                try parse(words, words == "status" ? "nowhere" : there)
            }
            #expect(error?.hint?.contains("ACPBRIDGE_URL is set to '") == true, "\(words)")
        }
    }

    @Test func tagsAreAddedAndRemoved() throws {
        let options = TagOptions(session: "x", added: ["a", "b"], removed: ["c"])
        #expect(options.tags(after: ["b", "c", "d"]) == ["b", "d", "a"])
        for words in [["x", "a", "--remove", "a"], ["x", ""], ["x", String(repeating: "a", count: 65)], []] {
            #expect(throws: UsageError.self) { try CommandLineInterface.parse(["tag"] + words) }
        }
        #expect(throws: UsageError.self) { try parse("archive") }
    }

    @Test func aTitleIsOneLineWithText() throws {
        let options = RenameOptions(session: "x", words: ["the", "login", "test"])
        #expect(try parse("rename x the login test") == .rename(options))
        #expect(options.title == SessionTitle(argument: "the login test") && options.title != nil)
        #expect(RenameOptions(session: "x").title == nil)
        #expect(try parse("rename x --reset") == .rename(RenameOptions(session: "x", reset: true)))
        for line in ["rename x", "rename x y --reset"] { #expect(throws: UsageError.self) { try parse(line) } }
        for title in ["", "  ", "a\tb", "a\nb", "latest", String(repeating: "a", count: 1025)] {
            #expect(throws: UsageError.self) { try CommandLineInterface.parse(["rename", "x", title]) }
            #expect(throws: UsageError.self) { try CommandLineInterface.parse(["run", "--title", title]) }
        }
    }

    @Test func severalSessionsAreConversationsAtATerminalAndEnvelopesInAPipe() throws {
        func shown(_ line: String, onTerminal isTerminal: Bool) throws -> (pretty: Bool, envelope: Bool) {
            guard case .attach(let options) = try parse(line) else { throw UnexpectedInvocation() }
            let shown = options.shown(onTerminal: isTerminal)
            return (shown.pretty, shown.envelope)
        }
        for line in ["attach a b", "attach --running"] {
            #expect(try shown(line, onTerminal: true) == (true, false), "\(line)")
            #expect(try shown(line, onTerminal: false) == (false, true), "\(line)")
            #expect(try shown(line + " --pretty", onTerminal: false) == (true, false), "\(line)")
            #expect(try shown(line + " --all", onTerminal: true) == (false, true), "\(line)")
            #expect(try shown(line + " --format lines", onTerminal: true) == (false, false), "\(line)")
        }
    }

    private struct UnexpectedInvocation: Error {}

    private static let attachLines: [(String, AttachOptions)] = [
        ("attach latest", AttachOptions(session: "latest")),
        ("attach", AttachOptions()),
        ("attach --take", AttachOptions(pretty: true, take: true)),
        ("attach --pretty latest", AttachOptions(sessions: ["latest"], pretty: true)),
        ("attach latest --take", AttachOptions(sessions: ["latest"], pretty: true, take: true)),
        ("attach a b", AttachOptions(sessions: ["a", "b"])),
        ("attach a b --pretty", AttachOptions(sessions: ["a", "b"], pretty: true)),
        ("attach a b --format lines", AttachOptions(sessions: ["a", "b"], format: .lines)),
        ("attach --running --format flat", AttachOptions(running: true, format: .flat)),
        ("attach --running --from now", AttachOptions(running: true, from: .now)),
        ("attach latest --from now", AttachOptions(sessions: ["latest"], from: .now)),
        ("attach --running --since 2h", AttachOptions(running: true, since: .seconds(7_200))),
        ("attach latest --tail 0", AttachOptions(sessions: ["latest"], from: .last(0))),
        ("attach latest --tail=200", AttachOptions(sessions: ["latest"], from: .last(200))),
        ("attach claude:1:2 --from=12", AttachOptions(sessions: ["claude:1:2"], from: .number(12))),
        ("attach x --no-follow --envelope", AttachOptions(sessions: ["x"], follow: false, envelope: true)),
        ("attach x --policy latest", AttachOptions(sessions: ["x"], policy: .latest)),
        ("attach x --all", AttachOptions(sessions: ["x"], envelope: true, all: true)),
        ("attach x --all --pretty", AttachOptions(sessions: ["x"], all: true, pretty: true)),
        ("attach x --format flat", AttachOptions(sessions: ["x"], format: .flat)),
        ("attach x --format flat --all", AttachOptions(sessions: ["x"], all: true, format: .flat)),
        ("attach x --format pretty", AttachOptions(sessions: ["x"], pretty: true, format: .pretty)),
        ("attach x --format envelope", AttachOptions(sessions: ["x"], envelope: true, format: .envelope)),
        ("attach x --kinds plan,future_kind", AttachOptions(sessions: ["x"], kinds: ["plan", "future_kind"])),
        ("attach --from start -- -odd-id", AttachOptions(session: "-odd-id")),
        ("attach -", AttachOptions(session: "-")),
        (
            "attach x --url unix:/run/a --token-file=t",
            AttachOptions(
                sessions: ["x"], connection: ConnectionOptions(url: .unixSocket(path: "/run/a"), tokenFile: "t"))
        ),
    ]

    @Test(arguments: otherLines)
    func otherSubcommandsParseTheirOptions(line: String, expected: Invocation) throws {
        #expect(try parse(line) == expected)
    }

    private static func connect(
        _ url: AgentURL, _ change: (inout ConnectOptions) -> Void = { _ in }
    ) -> ConnectOptions {
        var options = ConnectOptions(target: .url(url))
        change(&options)
        return options
    }

    private static let otherLines: [(String, Invocation)] = [
        ("sessions", .sessions(SessionsOptions())),
        ("sessions --all --json", .sessions(SessionsOptions(json: true, all: true))),
        ("tag x", .tag(TagOptions(session: "x"))),
        ("tag x a b --remove c", .tag(TagOptions(session: "x", added: ["a", "b"], removed: ["c"]))),
        ("archive x y --undo", .archive(ArchiveOptions(sessions: ["x", "y"], undo: true))),
        ("sessions --tree", .sessions(SessionsOptions(tree: true))),
        (
            "sessions login --here test --agent a --tag t --archived --limit 3",
            .sessions(
                SessionsOptions(
                    words: ["login", "test"], archived: true, here: true, agent: "a", tag: "t",
                    limit: RowLimit(argument: "3")))
        ),
        ("diff x --stat", .diff(DiffOptions(session: "x", stat: true))),
        ("diff x src a.txt", .diff(DiffOptions(session: "x", paths: ["src", "a.txt"]))),
        ("usage", .usage(UsageOptions())),
        ("usage --since 7d --json", .usage(UsageOptions(since: .seconds(7 * 86_400), json: true))),
        ("usage --by folder", .usage(UsageOptions(grouping: .folder))),
        ("answer", .answer(AnswerOptions())),
        ("answer s1 --json", .answer(AnswerOptions(session: "s1", json: true))),
        ("answer s1 5 --option allow", .answer(AnswerOptions(session: "s1", request: "5", option: "allow"))),
        ("answer s1 --decline", .answer(AnswerOptions(session: "s1", decline: true))),
        ("answer s1 --cancel", .answer(AnswerOptions(session: "s1", cancel: true))),
        (
            "answer s1 --accept --field a=b=c --field e=",
            .answer(
                AnswerOptions(
                    session: "s1", accept: true, fields: [FieldSetting("a", "b=c"), FieldSetting("e", "")]))
        ),
        ("answer s1 --field a=b", .answer(AnswerOptions(session: "s1", fields: [FieldSetting("a", "b")]))),
        ("agents --json", .agents(AgentsOptions(report: ReportOptions(json: true)))),
        ("agents import r.json", .agents(AgentsOptions(action: .import, file: "r.json"))),
        (
            "agents import - a --as b --replace",
            .agents(AgentsOptions(action: .import, file: "-", ids: ["a"], savedName: "b", replaces: true))
        ),
        ("agents import r.json --all", .agents(AgentsOptions(action: .import, file: "r.json", all: true))),
        ("status", .status(ReportOptions())),
        ("status --url ws://h:1/p", .status(ReportOptions(connection: .init(url: .webSocket(url: "ws://h:1/p"))))),
        (
            "connect wss://h/acp?agent=codex --give-up 5s --ca-file c",
            .connect(
                connect(.webSocket(url: "wss://h/acp?agent=codex")) {
                    $0.giveUp = .seconds(5)
                    $0.connection.authoritiesFile = "c"
                })
        ),
        ("connect ws://h:1?agent=x", .connect(connect(.webSocket(url: "ws://h:1/acp?agent=x")))),
        ("connect ws://h/", .connect(connect(.webSocket(url: "ws://h/acp")))),
        ("connect latest", .connect(ConnectOptions(target: .session("latest")))),
        ("connect claude:s:1", .connect(ConnectOptions(target: .session("claude:s:1")))),
        (
            "connect unix:/a?session=s --token-file t",
            .connect(connect(.unixSocket(path: "/a", query: "?session=s")) { $0.connection.tokenFile = "t" })
        ),
        ("stop --token-file t", .stop(StopOptions(connection: ConnectionOptions(tokenFile: "t")))),
        ("stop --yes", .stop(StopOptions(yes: true))),
        ("stop s1 --ca-file c", .stop(StopOptions(session: "s1", connection: ConnectionOptions(authoritiesFile: "c")))),
        ("prompt s1", .prompt(PromptOptions(session: "s1"))),
        ("prompt s1 -", .prompt(PromptOptions(session: "s1", words: ["-"]))),
        (
            "prompt --queue s1 run --pretty it",
            .prompt(PromptOptions(session: "s1", words: ["run", "it"], queue: true, pretty: true))
        ),
        (
            "prompt s1 --attach a.png look --attach b",
            .prompt(PromptOptions(session: "s1", words: ["look"], attachments: ["a.png", "b"]))
        ),
        ("prompt s1 -- --queue", .prompt(PromptOptions(session: "s1", words: ["--queue"]))),
        ("cancel latest", .cancel(CancelOptions(session: "latest"))),
        ("man", .man),
        ("completions zsh", .completions(.zsh)),
        ("--version", .version),
        ("attach --version", .version),
        ("--help", .help(about: nil)),
        ("-h", .help(about: nil)),
        ("help", .help(about: nil)),
        ("help attach", .help(about: .attach)),
        ("attach --help", .help(about: .attach)),
        ("attach x --from now -h --nonsense", .help(about: .attach)),
        ("stdio --help", .help(about: .stdio)),
        ("help help", .help(about: .help)),
    ]

    private struct WrongCase: Error {}
}

/// Splits a line at spaces and parses it as a command line.
func parse(_ line: String) throws(UsageError) -> Invocation {
    try CommandLineInterface.parse(line.split(separator: " ").map(String.init))
}
