import ArgumentParsing
import Invocations
import Testing

@testable import CLI

@Suite struct ArgumentValueTests {
    @Test(arguments: [
        ("127.0.0.1:7717", "127.0.0.1", 7717), ("[::1]:0", "::1", 0), (":0", "127.0.0.1", 0),
        ("localhost:65535", "localhost", 65535), ("[fe80::1%eth0]:80", "fe80::1%eth0", 80),
        ("my-host.example:1", "my-host.example", 1), ("[::ffff:127.0.0.1]:9", "::ffff:127.0.0.1", 9),
    ])
    func validListenAddressesAreParsed(text: String, host: String, port: Int) throws {
        let address = try #require(ListenAddress(argument: text))
        #expect(address.host == host)
        #expect(Int(address.port) == port)
        #expect(ListenAddress(argument: address.description) == address)
    }

    @Test(arguments: [
        "", ":", "7717", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "127.0.0.1:+1", "127.0.0.1: 1",
        "::1:7717", "[::1]", "[]:1", "[localhost]:1", "[::1:1", "127.0.0:1", "127.0.0.256:1", "127.0.0.01:1", "a..b:1",
        "ho st:1", "http://localhost:1", "1.2.3.4.5:1", "localhost:1é",
    ])
    func invalidListenAddressesAreRejected(text: String) {
        #expect(ListenAddress(argument: text) == nil)
    }

    @Test(arguments: [
        ("gemini --acp", ["gemini", "--acp"]), ("  a\t b\n", ["a", "b"]), ("a '' \"\"", ["a", "", ""]),
        ("'a b'c\"d e\" f", ["a bcd e", "f"]), (#"a\ b 'c\' "d\"\\\n""#, ["a b", #"c\"#, #"d"\\n"#]),
        ("é 'ß 😀' $HOME *", ["é", "ß 😀", "$HOME", "*"]),
    ])
    func aCommandIsDividedAsInAShell(text: String, words: [String]) {
        #expect(AgentCommand(argument: text)?.words == words)
    }

    @Test(arguments: ["", "  ", "'' a", "a 'b", "a \"b", "a\\", "a \"b\\"])
    func aCommandWithoutAProgramOrWithAnOpenQuoteIsRejected(text: String) {
        #expect(AgentCommand(argument: text) == nil)
    }

    @Test(arguments: [
        "ws://127.0.0.1:7717", "wss://bridge.example/prefix", "ws://[::1]:1", "unix:/run/a b.sock", "unix:rel",
    ])
    func aBridgeURLIsParsedAndPrintedUnchanged(text: String) throws {
        #expect(try #require(BridgeURL(argument: text)).description == text)
    }

    @Test(arguments: [
        ("http://127.0.0.1:7717/", "ws://127.0.0.1:7717/"), ("https://bridge.example", "wss://bridge.example"),
    ])
    func theAddressOfAPageNamesItsBridge(text: String, url: String) throws {
        #expect(try #require(BridgeURL(argument: text)) == .webSocket(url: url))
    }

    @Test(arguments: [
        "", "ws://", "ws:///x", "ws://:80", "wss:/x", "http://", "ftp://x", "localhost:7717", "unix:",
        "ws://user:secret@host",
        "ws://host/?token=secret", "ws://host/#x", "ws://ho st", "WS",
    ])
    func invalidBridgeURLsAreRejected(text: String) {
        #expect(BridgeURL(argument: text) == nil)
    }

    @Test(arguments: [
        "", "ws://", "ws://?agent=x", "wss://:1/acp", "http://h", "h", "unix:", "unix:?agent=x", "ws://user@host",
        "ws://host/#x", "ws://ho st", "unix:/a?b c",
    ])
    func invalidAgentURLsAreRejected(text: String) {
        #expect(AgentURL(argument: text) == nil)
    }

    @Test(arguments: ["", "ws://", "http://h", "wss://h/acp?a=#", "unix:", "unix:/a?b c"])
    func aWrongURLIsNoSession(text: String) {
        #expect(ConnectTarget(argument: text) == nil)
    }

    @Test(arguments: [
        "https://app.example/", "app.example", "*", "null", "https://", "https://:1", "ftp://a", "https://*.a",
        "http://a?b",
    ])
    func originsThatBrowsersNeverSendAreRejected(text: String) {
        #expect(WebOrigin(argument: text) == nil)
    }

    @Test(arguments: [
        "", "http://", "https:///v1", "http://:4318", "collector:4318", "ftp://collector", "http://user:x@collector",
        "http://collector?x", "http://collector#x", "http://a b", "http://kollektör",
    ])
    func aCollectorsURLThatCannotBeUsedIsRejected(text: String) {
        #expect(CollectorURL(argument: text) == nil)
    }

    @Test(arguments: ["http://127.0.0.1:4318", "https://[::1]:4318/", "HTTPS://collector.example/otlp"])
    func aCollectorsURLIsKeptAsWritten(text: String) {
        #expect(CollectorURL(argument: text)?.description == text)
    }

    @Test(arguments: [
        "https://login.example/.well-known/jwks.json", "HTTPS://login.example/keys?tenant=a",
        "https://[2001:db8::1]:8443",
        "http://127.0.0.1:8080/jwks.json", "http://localhost", "http://[::1]:1/",
    ])
    func aKeySetsURLUsesTLSOrThisMachine(text: String) {
        #expect(KeySetLocation(argument: text) == .url(text))
    }

    @Test(arguments: [
        "", "http://login.example/jwks.json", "http://localhost.example/", "http://127.0.0.1.example/",
        "http://127.0.0.1:x/", "http://127.0.0.1:1@login.example/", "https://", "https:///keys", "https://:1/",
        "https://user:secret@login.example/", "https://login.example/#keys", "https://a b/", "ftp://login.example/keys",
        "file:///etc/keys",
    ])
    func aKeySetsURLThatCannotBeTrustedIsRejected(text: String) {
        #expect(KeySetLocation(argument: text) == nil)
    }

    @Test func anotherTextIsTheFileOfAKeySet() {
        #expect(KeySetLocation(argument: "/etc/keys.json") == .file("/etc/keys.json"))
        #expect(KeySetLocation(argument: "keys.json")?.file == "keys.json")
    }

    @Test(arguments: [
        ("editor=control", "editor", TokenRole.control), ("a=b=observe", "a=b", .observe),
        ("https://b.example/read=observe", "https://b.example/read", .observe),
    ])
    func theRoleOfANameEndsTheText(text: String, name: String, role: TokenRole) {
        #expect(RoleNameSetting(argument: text) == RoleNameSetting(name, role))
    }

    @Test(arguments: ["", "=", "control", "=control", "a=", "a=admin", "a=root", "a b=control", "a=control "])
    func aNameWithoutARoleIsRejected(text: String) { #expect(RoleNameSetting(argument: text) == nil) }

    @Test(arguments: [
        ("start", StartPosition.start), ("now", .now), ("1", .number(1)), ("007", .number(7)),
        ("9223372036854775807", .number(.max)),
    ])
    func validStartPositionsAreParsed(text: String, expected: StartPosition) {
        #expect(StartPosition(argument: text) == expected)
    }

    @Test(arguments: ["", "0", "-1", "+1", "1.0", "Start", "9223372036854775808", "١", " 1"])
    func invalidStartPositionsAreRejected(text: String) {
        #expect(StartPosition(argument: text) == nil)
    }
}

@Suite struct NearestSubcommandTests {
    @Test(arguments: [
        ("atach", "attach"), ("att", "attach"), ("sesions", "sessions"), ("agnets", "agents"), ("stauts", "status"),
        ("hlep", "help"), ("x", nil), ("codex-acp", nil), ("", nil), ("zzzzzz", nil),
    ])
    func theNearestSubcommandIsFound(text: String, expected: String?) {
        #expect(nearest(to: text, among: SubcommandName.choices) == expected)
    }
}

@Suite struct RetentionTextTests {
    @Test(arguments: [
        ("30d", RetentionText(age: .seconds(30 * 86_400))), ("10GB", RetentionText(logBytes: 10_000_000_000)),
        ("30d,10GB", RetentionText(age: .seconds(30 * 86_400), logBytes: 10_000_000_000)),
        ("64MiB,90s", RetentionText(age: .seconds(90), logBytes: 64 << 20)),
    ])
    func validRetentionsAreParsed(text: String, expected: RetentionText) {
        #expect(RetentionText(argument: text) == expected)
    }

    @Test(arguments: ["", "30", "0d", "0B", "30d,", ",30d", "30d,60d", "1GB,2GB", "30d,10GB,1s", "30d 10GB", "10gb"])
    func invalidRetentionsAreRejected(text: String) { #expect(RetentionText(argument: text) == nil) }
}
