import AgentProcess
import Glibc
import JSONScan
import Testing

/// `acpbridge export` and `acpbridge import`.
@Suite(.blocking) struct ExportCommandTests {
    private static let secret = "sk-ant-api03-0123456789abcdefghijklmnop"

    private func export(_ home: BridgeHome, _ session: String, _ arguments: SystemString...) throws -> Outcome {
        let command: [SystemString] = [Binary.acpbridge, "export", SystemString(session)] + arguments
        return try EditorProcess(command, in: home).outcome()
    }

    /// A session with one prompt. The end of its turn is stored.
    private func session(_ home: BridgeHome, _ prompt: String) throws -> EditorSession {
        let editor = try EditorSession([Binary.demoAgent], in: home)
        try editor.prompt(prompt)
        try eventually("the end of the turn is stored") {
            try export(home, editor.sessionId).outputText.contains(#""kind":"turn_end""#)
        }
        return editor
    }

    @Test func anExportedSessionCanBeImportedBesideTheOriginal() throws {
        try BridgeHome.with { home in
            let editor = try session(home, "/echo hello there")
            let file = "\(home.path)/session.ndjson"
            let exported = try export(home, editor.sessionId, "--output", SystemString(file))
            #expect(exported.status == .exited(code: 0))
            #expect(exported.output.isEmpty)
            let piped = try export(home, editor.sessionId, "--output", "-")
            #expect(piped.output == FileBytes.read(file))

            let outcome = try home.run("import", SystemString(file), "--json")
            #expect(outcome.status == .exited(code: 0), "\(outcome.errorText)")
            #expect(outcome.errorText.contains("may be a copy of \(editor.sessionId)\n"))
            let result = try JSONValue(validating: outcome.output)
            let id = try #require(result["sessionId"]?.stringValue)
            #expect(id.hasPrefix("imported-"))

            let rows = try wholeLines(of: try home.run("sessions", "--json", "--all").output).map(
                JSONValue.init(validating:))
            let row = try #require(rows.first { $0["sessionId"]?.stringValue == id })
            #expect(row["state"]?.stringValue == "ended")
            #expect(row["updateCount"]?.int64Value == result["updates"]?.int64Value)
            #expect(rows.contains { $0["sessionId"]?.stringValue == editor.sessionId })

            let again = try export(home, id).outputText.split(separator: "\n").dropFirst()
            let original = try export(home, editor.sessionId).outputText.split(separator: "\n").dropFirst()
            let repeated = try home.run("import", SystemString(file)).errorText
            #expect(repeated.contains(" and 1 more"), "\(repeated)")
            #expect(again.map { String($0).replacing(id, with: editor.sessionId) } == original.map(String.init))
        }
    }

    @Test func anExportThatIsCutBetweenTwoLinesIsNotImported() throws {
        try BridgeHome.with { home in
            _ = try session(home, "/echo hello there")
            let cut = try home.shell("acpbridge export latest | head -4 | acpbridge import -")
            #expect(cut.status == .exited(code: 65))
            #expect(cut.errorText.contains("cut off after 4 lines"), "\(cut.errorText)")
            // The first line of an earlier version announces no end.
            let old = try home.shell(
                #"acpbridge export latest | head -4 | sed '1s/,"end":true//' | acpbridge import -"#)
            #expect(old.status == .exited(code: 0), "\(old.errorText)")
        }
    }

    @Test func theCheckOfAnImportCountsUpdatesAsTheListDoes() throws {
        try BridgeHome.with { home in
            let editor = try session(home, "/echo hello there")
            let row = try #require(try rows(home).first { $0["sessionId"]?.stringValue == editor.sessionId })
            let count = try #require(row["updateCount"]?.int64Value)
            let check = try home.shell("acpbridge export latest | acpbridge import --check -").outputText
            #expect(check.contains(": \(count) updates and "), "\(check)")
        }
    }

    @Test func aPipeAndALinkStayAndGetTheExport() throws {
        try BridgeHome.with { home in
            _ = try session(home, "/echo hello there")
            let outcome = try home.shell(
                """
                cd "$ACPBRIDGE_HOME" && mkfifo pipe && (cat pipe >copy &) && acpbridge export latest --output pipe \
                && touch file && ln -s file link && acpbridge export latest --output link \
                && echo before >appended && acpbridge export latest --output /dev/stdout >>appended && grep -q before appended \
                && ln -s new dangling && acpbridge export latest --output dangling && test -L dangling && test -s new \
                && test -p pipe && test -L link && test -s file && acpbridge export latest --output /dev/null && test -c /dev/null \
                && until cmp -s copy file; do sleep 0.05; done
                """)
            #expect(outcome.status == .exited(code: 0), "\(outcome.errorText)")
        }
    }

    private func rows(_ home: BridgeHome) throws -> [JSONValue] {
        try wholeLines(of: try home.run("sessions", "--json", "--all", "--tree").output).map(
            JSONValue.init(validating:))
    }

    /// An earlier fault: an export had no subagents.
    @Test(arguments: [1, 2]) func subagentsAreExportedAndImportedWithTheirLinks(version: Int) throws {
        try BridgeHome.with { home in
            let editor = try EditorSession(
                [Binary.demoAgent], in: home, capabilities: version == 1 ? #"{"subagents":{}}"# : "{}",
                version: version)
            try editor.prompt("hello 2 subagents quiet pace=0 no permission")
            try eventually("the session and its two subagents are idle") {
                let rows = try rows(home)
                // In version 1, nothing ends the work of a quiet subagent.
                return rows.count == 3
                    && rows.allSatisfy { $0["state"]?.stringValue == "idle" && (version == 1 || $0["busy"] == nil) }
            }
            try home.waitUntilStored()
            let root = editor.sessionId
            let children = try rows(home).filter { $0["parentId"]?.stringValue == root }
            #expect(children.count == 2)

            let file = "\(home.path)/session.ndjson"
            #expect(try export(home, root, "--output", SystemString(file)).status == .exited(code: 0))
            let lines = try wholeLines(of: try #require(FileBytes.read(file))).map(JSONValue.init(validating:))
            let heads = lines.filter { $0["kind"]?.stringValue == "export" }
            #expect(heads.first?["sessionId"]?.stringValue == root && heads.first?["parentId"] == nil)
            #expect(heads.dropFirst().map { $0["parentId"]?.stringValue } == [root, root])

            let imported = try JSONValue(validating: try home.run("import", SystemString(file), "--json").output)
            #expect(imported["sessions"]?.int64Value == 3)
            let id = try #require(imported["sessionId"]?.stringValue)
            let copies = try rows(home).filter { $0["parentId"]?.stringValue == id }
            func counts(_ rows: [JSONValue]) -> [Int64?] {
                rows.map { $0["updateCount"]?.int64Value }.sorted { ($0 ?? 0) < ($1 ?? 0) }
            }
            #expect(copies.count == 2 && counts(copies) == counts(children))
            #expect(copies.allSatisfy { $0["state"]?.stringValue == "ended" })

            // The updates of the new session name the new children.
            let again = try wholeLines(of: try export(home, id).output).map(JSONValue.init(validating:))
            let announced = again.compactMap { line -> String? in
                let update = line["notification"]?["params"]?["update"]
                guard update?["sessionUpdate"]?.stringValue == "subagent_update" else { return nil }
                return update?["sessionId"]?.stringValue
            }
            #expect(Set(announced) == Set(copies.compactMap { $0["sessionId"]?.stringValue }))
            #expect(again.count == lines.count)
            for format in ["markdown", "html"] {
                let text = try export(home, root, "--format", SystemString(format)).outputText
                #expect(text.split(separator: "Subagent: ").count == 3)
            }
            #expect(!(try export(home, root, "--format", "asciicast").outputText.contains("Subagent: ")))
        }
    }

    @Test(arguments: ["ndjson", "markdown", "html", "asciicast"])
    func secretsAreHiddenInEveryFormat(format: String) throws {
        try BridgeHome.with { home in
            let editor = try session(home, "/echo \(Self.secret) and host-7.corp")
            let outcome = try export(
                home, editor.sessionId, "--format", SystemString(format), "--redact", "host-[0-9]+[.]corp")
            #expect(outcome.status == .exited(code: 0))
            #expect(!outcome.outputText.contains(Self.secret) && !outcome.outputText.contains("host-7"))
            #expect(outcome.outputText.contains("[redacted]"))
            #expect(outcome.errorText.contains("texts are hidden"))
            let kept = try export(home, editor.sessionId, "--keep-tokens")
            #expect(kept.outputText.contains(Self.secret))
        }
    }

    @Test func anExportIsImportedFromAPipe() throws {
        try BridgeHome.with { home in
            let editor = try session(home, "/echo hello there")
            let piped = try home.shell(
                "acpbridge export '\(editor.sessionId)' | TMPDIR='\(home.path)' acpbridge import - --json")
            #expect(piped.status == .exited(code: 0), "\(piped.errorText)")
            let id = try #require(try JSONValue(validating: piped.output)["sessionId"]?.stringValue)
            #expect(try export(home, id).outputText.contains("hello there"))
            let rest = try home.shell("ls -d '\(home.path)'/acpbridge-import* 2>/dev/null || true")
            #expect(rest.outputText.isEmpty, "the copy is deleted")
            let bad = try home.shell("echo nonsense | acpbridge import -")
            #expect(bad.status == .exited(code: 65))
            #expect(bad.errorText.hasPrefix("Error: standard input, line 1: the line is not JSON"))
        }
    }

    @Test func aBadFileIsRefusedWithItsLine() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let file = "\(home.path)/bad.ndjson"
            let good = #"{"seq":0,"ts":"2026-01-31T10:30:00.000Z","kind":"prompt","data":{"prompt":[]}}"#
            for (text, words) in [
                ("\(good)\nnonsense\n", "line 2: the line is not JSON"),
                ("\(good)\n\n{\"kind\":\"gone\"}\n", "line 3: the line has the unknown kind"),
                ("", "has no entries"), (good, "does not name its agent"),
            ] {
                try FileBytes.write(Array(text.utf8), to: file)
                let outcome = try home.run("import", SystemString(file))
                #expect(outcome.status == .exited(code: 65))
                #expect(outcome.errorText.contains(words), "\(outcome.errorText)")
            }
            #expect(try home.run("import", "/dev/null").status == .exited(code: 1))
            #expect(try home.run("import", SystemString("\(home.path)/gone")).status == .exited(code: 1))
            #expect(try home.run("import", SystemString(file), "--agent", "a").status == .exited(code: 0))
            #expect(wholeLines(of: try home.run("sessions", "--json", "--all").output).count == 1)
        }
    }

    @Test func anImportAppearsWithItsLastPart() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let client = try TinyvexTestClient(home)
            func send(_ args: String) throws -> JSONValue? {
                let call = #"{"requestId":"1","name":"sessions:import","args":\#(args)}"#
                return try client.call("tinyvex/action", call)["result"]?["value"]
            }
            let update =
                #"{\"ts\":\"2026-01-31T10:30:00.000Z\",\"kind\":\"update\",\"notification\":"#
                + #"{\"method\":\"session/update\",\"params\":{\"sessionId\":\"s\",\"update\":{}}}}\n"#
            let first = try #require(try send(#"{"agent":"a","text":"\#(update)"}"#))
            let id = try #require(first["sessionId"]?.stringValue)
            let session = #"{"sessionId":"\#(id)"}"#
            func subscribe() throws -> JSONValue {
                try client.call(
                    "tinyvex/subscribe",
                    #"{"subId":"u","name":"acp:sessionUpdates","params":\#(session),"lastSeq":0}"#)
            }
            #expect(try subscribe().errorCode == "TVX008")
            #expect(try client.watch("sessions:get", session).errorCode == "TVX008")
            #expect(try home.run("sessions", "--json", "--all").output.isEmpty)
            let next = #"{"import":"\#(first["import"]?.stringValue ?? "")","text":"\#(update)""#
            _ = try send(next + "}")
            #expect(try send(next + #","last":true}"#)?["updates"]?.int64Value == 3)
            #expect(try subscribe()["result"]?["headSeq"]?.int64Value == 3)
            for _ in 0..<3 { _ = try client.next("session/update") }
            #expect(try client.next("tinyvex/ended")["params"]?["reason"]?.stringValue == "closed")
        }
    }

    @Test func theBridgeDeletesAnImportWithABadPart() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let client = try TinyvexTestClient(home)
            let line = #"{\"ts\":\"2026-01-31T10:30:00.000Z\",\"kind\":\"prompt\",\"data\":{}}\n"#
            func send(_ args: String) throws -> JSONValue {
                try client.call("tinyvex/action", #"{"requestId":"1","name":"sessions:import","args":\#(args)}"#)
            }
            let first = try send(#"{"agent":"a","text":"\#(line)"}"#)
            let id = try #require(first["result"]?["value"]?["import"]?.stringValue, "\(first.rawString)")
            #expect(try send(#"{"import":"\#(id)","text":"nonsense"}"#).errorCode == "-32602")
            #expect(try send(#"{"import":"\#(id)","text":"\#(line)"}"#).errorCode == "-32602")
            for args in [#"{"text":""}"#, #"{"agent":"","text":""}"#, #"{"agent":"a","import":"x","text":""}"#] {
                #expect(try send(args).errorCode == "-32602")
            }
            try eventually("the session is deleted") {
                try home.run("sessions", "--json", "--all").output.isEmpty
            }
        }
    }

    @Test func wrongUseIsRefused() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            #expect(try export(home, "gone").status == .exited(code: 3))
            #expect(try export(home, "latest", "--format", "gif").status == .exited(code: 64))
            let wrong = try export(home, "latest", "--redact", "(")
            #expect(wrong.status == .exited(code: 64))
            #expect(wrong.errorText.contains("is not a regular expression"))
        }
    }
}
