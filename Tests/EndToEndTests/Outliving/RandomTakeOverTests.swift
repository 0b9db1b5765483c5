import AgentProcess
import EventLoop
import Glibc
import JSONScan
import Posix
import TestSupport
import Testing

/// Editors that take one agent over, one after the other, at random moments of its turns.
///
/// `ACPBRIDGE_TEST_SEED` repeats a run; `ACPBRIDGE_TEST_ROUNDS` sets the number of editors.
@Suite(.blocking) struct RandomTakeOverTests {
    private static let rounds = getenv("ACPBRIDGE_TEST_ROUNDS").flatMap { Int(String(cString: $0)) } ?? 100
    private static let seed =
        getenv("ACPBRIDGE_TEST_SEED").flatMap { UInt64(String(cString: $0)) } ?? UInt64.random(in: 1...1_000_000)

    /// Each editor gets every stored update once, in order and byte for byte, and the prompts in their places: first the
    /// history up to the answer to its request, then the updates that follow.
    @Test(arguments: [1, 2]) func eachEditorGetsTheWholeHistoryOnce(version: Int) throws {
        try BridgeHome.with { home in
            var editors = EditorsInTurn(home, version: version, seed: Self.seed)
            do {
                for round in 1...Self.rounds { try editors.next(round) }
                let faults = try editors.faults()
                #expect(faults == [], "seed \(Self.seed)")
            } catch {
                Issue.record("seed \(Self.seed): \(error)")
            }
        }
    }
}

/// The editors of one session, and the updates that each of them has received.
private struct EditorsInTurn {
    private struct Received {
        /// The updates before the answer to the request that opened the session.
        var history: [[UInt8]] = []
        var live: [[UInt8]] = []
    }

    /// A line that an editor can get.
    private struct Expected {
        enum Kind { case update, prompt, notRepeated }
        let line: [UInt8]
        let kind: Kind
    }

    private let home: BridgeHome
    private let version: Int
    private var random: SeededGenerator
    private var session = ""
    private var received: [Received] = []
    private var promptCount = 0

    init(_ home: BridgeHome, version: Int, seed: UInt64) {
        self.home = home
        self.version = version
        random = SeededGenerator(seed: seed)
    }

    /// The next editor opens the session, perhaps sends a prompt, reads for a while and is killed.
    mutating func next(_ round: Int) throws {
        let editor = try EditorProcess([Binary.acpbridge, "--keep", "--", Binary.demoAgent], in: home)
        let client =
            version == 1
            ? #""clientCapabilities":{}"# : #""info":{"name":"test","version":"1"},"capabilities":{}"#
        try editor.sendLine(
            #"{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":\#(version),\#(client)}}"#
        )
        _ = try lines(of: editor, untilAnswerTo: "hello")
        var updates = Received()
        updates.history = try round == 1 ? begin(editor) : load(editor)
        if round == 1 || Bool.random(using: &random) { try prompt(editor) }
        for _ in 0..<Int.random(in: 0...20, using: &random) {
            guard let line = try editor.lineAtHand(within: .milliseconds(20)) else { break }
            if let value = Self.message(line), value["method"] != nil {
                updates.live.append(Self.withoutLineFeed(line))
            }
        }
        received.append(updates)
        editor.kill([SIGKILL, SIGTERM, SIGHUP].randomElement(using: &random) ?? SIGKILL)
        _ = try editor.exitStatus()
    }

    private mutating func begin(_ editor: EditorProcess) throws -> [[UInt8]] {
        try editor.sendLine(
            #"{"jsonrpc":"2.0","id":"open","method":"session/new","params":{"cwd":"\#(home.path)","mcpServers":[]}}"#)
        let (before, answer) = try lines(of: editor, untilAnswerTo: "open")
        session = try #require(answer["result"]?["sessionId"]?.stringValue)
        return before
    }

    private func load(_ editor: EditorProcess) throws -> [[UInt8]] {
        let (method, place) =
            version == 1 ? ("session/load", "") : ("session/resume", #","replayFrom":{"type":"start"}"#)
        let params = #"{"sessionId":"\#(session)","cwd":"\#(home.path)","mcpServers":[]\#(place)}"#
        try editor.sendLine(#"{"jsonrpc":"2.0","id":"open","method":"\#(method)","params":\#(params)}"#)
        let (before, answer) = try lines(of: editor, untilAnswerTo: "open")
        try #require(answer["result"] != nil, "\(answer.rawString)")
        guard version == 2 else { return before }
        // The end of the history and the current state are messages of the bridge.
        let kinds = before.suffix(2).map { Self.message($0)?["params"]?["update"]?["sessionUpdate"]?.stringValue }
        try #require(kinds == ["replay_complete", "state_update"], "\(kinds)")
        return before.dropLast(2)
    }

    private mutating func prompt(_ editor: EditorProcess) throws {
        if promptCount > 0 { try waitUntilIdle() }
        promptCount += 1
        let text = "\(promptCount) hello \(Int.random(in: 1...20, using: &random)) chunks pace=2 no permission"
        try editor.sendLine(
            #"{"jsonrpc":"2.0","id":"prompt","method":"session/prompt","params":\#(RemoteTestClient.prompt(session, text))}"#
        )
    }

    private func waitUntilIdle() throws {
        let client = try TinyvexTestClient(home)
        _ = try client.watch("sessions:list")
        _ = try client.value { list in
            list["data"]?.elements.first { $0["sessionId"]?.stringValue == session }?["state"]?.stringValue == "idle"
        }
    }

    private func lines(
        of editor: EditorProcess, untilAnswerTo id: String
    ) throws -> (before: [[UInt8]], answer: JSONValue) {
        var before: [[UInt8]] = []
        while let line = try editor.readLineBytes() {
            let value = try #require(Self.message(line))
            if value["id"]?.stringValue == id { return (before, value) }
            before.append(Self.withoutLineFeed(line))
        }
        throw EditorSession.AgentEnded(error: editor.errorText, status: try editor.exitStatus())
    }

    private static func message(_ line: [UInt8]) -> JSONValue? { try? JSONValue(validating: withoutLineFeed(line)) }

    private static func withoutLineFeed(_ line: [UInt8]) -> [UInt8] { line.last == 0x0a ? line.dropLast() : line }

    // MARK: The whole history

    /// Compares what each editor has received with the stored history.
    func faults() throws -> [String] {
        try waitUntilIdle()
        let stored = try wholeLines(of: home.run("attach", SystemString(session), "--all", "--no-follow").output)
            .map { try JSONValue(validating: $0) }
        let prompts = stored.filter { $0["kind"]?.stringValue == "prompt" }.compactMap { entry in
            entry["data"]?["prompt"]?.elements.first?["text"]?.stringValue?.split(separator: " ").first.flatMap {
                Int($0)
            }
        }
        var faults = zip(prompts, prompts.dropFirst()).allSatisfy(<) ? [] : ["prompts: \(prompts)"]
        if prompts.isEmpty { faults.append("no prompt is stored") }
        let expected = stored.flatMap(expected)
        for (index, updates) in received.enumerated() {
            if let fault = Self.fault(updates, expected) { faults.append("editor \(index + 1): \(fault)") }
        }
        return faults
    }

    /// An agent of version 1 does not repeat the prompts as updates of its own, so the bridge adds them.
    private func expected(_ entry: JSONValue) -> [Expected] {
        switch entry["kind"]?.stringValue {
        case "update":
            guard let line = entry["notification"] else { return [] }
            let kind = line["params"]?["update"]?["sessionUpdate"]?.stringValue
            return [
                Expected(line: Array(line.rawText), kind: version == 2 && kind == "notice" ? .notRepeated : .update)
            ]
        case "prompt" where version == 1:
            return (entry["data"]?["prompt"]?.elements ?? []).map { block in
                let update = #"{"sessionUpdate":"user_message_chunk","content":\#(block.rawString)}"#
                let params = #"{"sessionId":"\#(session)","update":\#(update)}"#
                let line = #"{"jsonrpc":"2.0","method":"session/update","params":\#(params)}"#
                return Expected(line: Array(line.utf8), kind: .prompt)
            }
        default: return []
        }
    }

    private static func fault(_ updates: Received, _ expected: [Expected]) -> String? {
        var next = 0
        for (isLive, lines) in [(false, updates.history), (true, updates.live)] {
            for line in lines {
                while next < expected.count, expected[next].line != line,
                    expected[next].kind == (isLive ? .prompt : .notRepeated)
                {
                    next += 1
                }
                guard next < expected.count, expected[next].line == line else {
                    let wanted =
                        next < expected.count ? String(decoding: expected[next].line, as: UTF8.self) : "nothing"
                    return "at \(next): \(String(decoding: line, as: UTF8.self)) instead of \(wanted)"
                }
                next += 1
            }
        }
        return nil
    }
}
