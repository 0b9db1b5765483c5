import ArgumentParsing
import Testing

@testable import BridgeSettings

@Suite struct SettingsFileTests {
    private func read(_ text: String) -> SettingsFile {
        SettingsFile(Array(text.utf8), path: "/etc/c.json", folder: "/etc")
    }

    @Test func eachKindOfValueBecomesTexts() {
        let file = read(
            """
            {
                // The office.
                "listen": [":0", "[::1]:0"],
                "no-tcp": false,
                "tls-cert": "cert.pem",
                "tls-key": "/keys/key.pem",
                "limit": { "connections": 100, "line": "1MiB" },
                "retain": "30d",
                "allow-host": "a.example",
                "permission-timeout": 90,
            }
            """)
        #expect(file.faults.isEmpty)
        #expect(file.settings.map(\.name).count == 8)
        #expect(file.settings[0].texts == [":0", "[::1]:0"])
        #expect(file.settings[0].origin == .file(path: "/etc/c.json", line: 3))
        #expect(file.settings[1].texts == ["false"])
        #expect(file.settings[2].texts == ["/etc/cert.pem"])
        #expect(file.settings[3].texts == ["/keys/key.pem"])
        #expect(file.settings[4].texts == ["connections=100", "line=1MiB"])
        #expect(file.settings[6].texts == ["a.example"])
        #expect(file.settings[7].texts == ["90"])
    }

    @Test func peersAreURLsOrObjects() {
        let file = read(
            #"""
            {"peer": ["unix:/run/a.sock", {"url": "wss://b", "tokenFile": "b.token", "name": "laptop"}, {"url": "wss://c",
                "tokenFile": "/keys/c", "caFile": "ca.pem"}]}
            """#)
        #expect(file.faults.isEmpty)
        let texts = [
            "unix:/run/a.sock", "wss://b token-file=/etc/b.token name=laptop",
            "wss://c token-file=/keys/c ca-file=/etc/ca.pem",
        ]
        #expect(file.settings.first?.texts == texts)
        #expect(read(#"{"peer": {"url": "wss://b"}}"#).settings.first?.texts == ["wss://b"])
        for wrong in [#"[{"url": 1}]"#, "[{}]", #"[{"url": "wss://b", "token": "secret"}]"#] {
            #expect(
                read("{\"peer\": \(wrong)}").faults.map(\.description)
                    == [
                        "/etc/c.json:1: the value of 'peer' must be an array of objects with url, tokenFile, caFile and name"
                    ])
        }
    }

    @Test(
        "the error names the line and a fix",
        arguments: [
            ("{\n\"lisen\": []}", "/etc/c.json:2: unknown key 'lisen'; did you mean 'listen'?"),
            ("{\"x\": 1}", "/etc/c.json:1: unknown key 'x'; 'acpbridge config show' lists all keys"),
            ("{\"replace\": true}", "/etc/c.json:1: unknown key 'replace'; 'acpbridge config show' lists all keys"),
            ("{\"on-demand\": true}", "/etc/c.json:1: unknown key 'on-demand'; 'acpbridge config show' lists all keys"),
            (
                "{\n\n\"durability\": \"ful\"}",
                "/etc/c.json:3: invalid value 'ful' for 'durability': expected 'normal', 'full' or 'hub'; did you mean 'full'?"
            ),
            (
                "{\"hub\": \"postgre://me:secret@db/fleet\"}",
                "/etc/c.json:1: invalid value for 'hub': expected postgres://USER@HOST/DATABASE (a password belongs in a "
                    + "passfile or the environment)"
            ),
            ("{\"no-tcp\": \"yes\"}", "/etc/c.json:1: the value of 'no-tcp' must be true or false"),
            ("{\"listen\": {}}", "/etc/c.json:1: the value of 'listen' must be an array of strings"),
            ("{\"listen\": [null]}", "/etc/c.json:1: the value of 'listen' must be an array of strings"),
            ("{\"limit\": true}", "/etc/c.json:1: the value of 'limit' must be an object of names and values"),
            ("{\"retain\": []}", "/etc/c.json:1: the value of 'retain' must be a string or a number"),
            (
                "{\"limit\": {\"conections\": 1}}",
                "/etc/c.json:1: invalid value 'conections=1' for 'limit': expected NAME=VALUE, such as connections=100, "
                    + "line=128MiB or admission=5s; did you mean 'connections'?"
            ),
            ("{\"retain\": \"30d\",\n\"retain\": \"3d\"}", "/etc/c.json:2: 'retain' was given more than once"),
            ("{\n\"retain\" \"30d\"}", "/etc/c.json:2: not valid JSON: unexpected byte"),
            ("{", "/etc/c.json:1: not valid JSON: the text ends too early"),
            ("", "/etc/c.json:1: not valid JSON: the text ends too early"),
            ("[]", "/etc/c.json:1: the file must contain an object: { ... }"),
        ])
    func theErrorNamesTheLineAndAFix(text: String, expected: String) {
        let file = read(text)
        #expect(file.faults.map(\.description) == [expected])
    }

    @Test func everyErrorIsReported() {
        #expect(read(#"{"a": 1, "b": 2, "retain": "30d", "listen": 5}"#).faults.count == 3)
        let text = "{\"limit\": {\n\"agents\": 1,\n\"sesions\": 2, \"lin\": 3},\n\"listen\": [\":0\",\n\"x\"]}"
        #expect(read(text).faults.map(\.line) == [3, 3, 5])
    }

    @Test func aSchemaReferenceIsIgnored() {
        #expect(read(#"{"$schema": "x"}"#) == SettingsFile())
    }

    @Test func controlCharactersOfAKeyAreEscaped() {
        #expect(read("{\"\\u001b[2J\": 1}").faults[0].message.hasPrefix("unknown key '\\u{1B}[2J'"))
    }
}

@Suite struct SettingsEnvironmentTests {
    @Test func aVariableHasTheNameOfItsOption() {
        let environment = SettingsEnvironment(
            [
                "ACPBRIDGE_LOG_LEVEL": "info", "ACPBRIDGE_NO_TCP": "1", "ACPBRIDGE_LIMIT": "agents=1,sessions=2",
                "ACPBRIDGE_DURABILITY": "", "ACPBRIDGE_LOG_FILE": "a.log", "ACPBRIDGE_HOME": "/x",
            ], folder: "/conf")
        #expect(environment.faults.isEmpty)
        #expect(environment.settings.map(\.name) == ["no-tcp", "limit", "log-level", "log-file"])
        #expect(
            environment.settings.map(\.texts) == [["true"], ["agents=1", "sessions=2"], ["info"], ["/conf/a.log"]])
        #expect(environment.settings[0].origin == .environment(variable: "ACPBRIDGE_NO_TCP"))
    }

    @Test func anErrorNamesTheVariable() {
        let environment = SettingsEnvironment(
            ["ACPBRIDGE_NO_TCP": "maybe", "ACPBRIDGE_LISTEN": "a,,b"], folder: "/conf")
        #expect(
            environment.faults.map(\.path) == ["ACPBRIDGE_LISTEN", "ACPBRIDGE_NO_TCP"])
        #expect(environment.faults[1].description == "ACPBRIDGE_NO_TCP: invalid value 'maybe': expected 1 or 0")
        #expect(environment.settings.isEmpty)
    }
}
