import AgentProcess
import EventLoop
import Glibc
import JSONScan
import Posix
import Synchronization
import Testing

/// Many clients at one session: three editors send prompts and answers; five viewers watch and are killed one after
/// another.
@Suite(.blocking) struct ManyClientsTests {
    /// `ACPBRIDGE_SOAK=1` runs a longer test: it kills a viewer each second for a minute.
    private static let isSoak = getenv("ACPBRIDGE_SOAK") != nil
    private static let kills = isSoak ? 60 : 10
    private static let pace: Duration = isSoak ? .seconds(1) : .milliseconds(100)

    /// For each prompt the agent sends some updates, then requests a permission, and ends the turn after the answer.
    private static let agent = rude(
        "flood", "--on", "prompt", "--lines", "20", "--rate", "400", "--id-style", "number", "--tell", "answers")

    @Test(.timeLimit(.minutes(10))) func allClientsSeeTheSameUpdatesAndEachRequestIsAnsweredOnce() throws {
        try BridgeHome.with { home in
            let daemon = try Daemon(home, ["--listen", "127.0.0.1:0"])
            let progress = SharedProgress()
            let editor = try EditorSession(Self.agent, in: home)
            let session = editor.sessionId
            let primary = try Background { try self.edit(editor, progress) }
            let controller = try Background { try self.control(session, in: home, progress) }
            let third = try ThirdEditor(at: session, of: daemon, in: home)
            let viewers = [.connection, .attach, .connection, .attach, .connection].map { (kind: Viewer.Kind) in
                Viewer(kind, of: session, in: home)
            }
            let watching = try viewers.map { viewer in try Background { try viewer.watch(progress) } }

            try killOneAfterAnother(viewers.map(\.strings))
            try third.end()
            progress.isOver.store(true, ordering: .releasing)
            let scripts = [try primary.wait(), try controller.wait()]
            let log = try TinyvexTestClient(home).history(of: session).map(\.line)
            progress.head.store(log.count, ordering: .releasing)
            for watch in watching { try watch.wait() }

            for viewer in viewers { expectSame(viewer.updates, log) }
            for script in scripts {
                expectSame(script.updates, log)
                #expect(script.answers.values.allSatisfy { $0 == 1 }, "\(script.answers)")
                #expect(script.answers.count > 3)
                #expect(script.asked.values.allSatisfy { $0 == 1 }, "\(script.asked)")
                #expect(script.cancelledDialogs > 0)
            }
            try expectEachIsAnsweredOnce(in: log, session, home)
            #expect(try editor.end().status == .exited(code: 0))
            try eventually("only the bridge is running: \(home.processes)") { home.processes.count == 1 }
            let status = try home.status()
            #expect(status["agents"]?.int64Value == 0)
            #expect(status["connections"]?.int64Value == 1, "only the connection of this status query")
            #expect(status["subscriptions"]?.int64Value == 0)
        }
    }

    // MARK: The participants

    /// Runs the editor that owns the agent.
    private func edit(_ editor: EditorSession, _ progress: SharedProgress) throws -> EditorScript {
        var script = EditorScript("editor", at: editor.sessionId, queues: false) { $0.isMultiple(of: 2) }
        for update in editor.updates { _ = try script.handle(update, isOver: true) }
        try editor.process.sendLine(script.nextPrompt())
        try serve(&script, progress) {
            try editor.process.lineAtHand(within: .milliseconds(50))
        } send: {
            try editor.process.sendLine($0)
        }
        return script
    }

    /// Runs a client on `/acp` that joins the session and waits for its turns.
    private func control(_ session: String, in home: BridgeHome, _ progress: SharedProgress) throws -> EditorScript {
        let client = try RemoteTestClient(home, path: "/acp?session=\(session)")
        try client.initialize()
        var script = EditorScript("controller", at: session, queues: true) { !$0.isMultiple(of: 2) }
        try client.ask("load", "session/load", #"{"sessionId":"\#(session)","cwd":"/","mcpServers":[]}"#)
        try client.wire.send(script.nextPrompt())
        try serve(&script, progress) {
            try client.wire.messageAtHand(within: .milliseconds(50))
        } send: {
            try client.wire.send($0)
        }
        return script
    }

    /// Runs until the prompts of all editors are answered.
    private func serve(
        _ script: inout EditorScript, _ progress: SharedProgress, next: () throws -> [UInt8]?,
        send: (String) throws -> Void
    ) throws {
        var isCounted = false
        var deadline = Deadline()
        while true {
            let isOver = progress.isOver.load(ordering: .acquiring)
            let isLast = progress.everyPromptIsAnswered
            if let line = try next() {
                for text in try script.handle(line, isOver: isOver) { try send(text) }
                deadline = Deadline()
            } else if isLast {
                return
            }
            if isOver, script.isDone, !isCounted {
                isCounted = true
                progress.doneEditors.add(1, ordering: .releasing)
            }
            guard !deadline.hasPassed else { throw Overdue("a message arrives: \(script.answers)") }
        }
    }

    /// Kills one viewer each `pace`, after that viewer has received a new update.
    private func killOneAfterAnother(_ viewers: [Viewer.Strings]) throws {
        var seen = viewers.map { _ in 0 }
        for kill in 0..<Self.kills {
            let next = Instant.now + Self.pace
            let victim = kill % viewers.count
            let strings = viewers[victim]
            try eventually("the viewer has received more than \(seen[victim]) updates") {
                strings.seen.load(ordering: .acquiring) > seen[victim]
            }
            seen[victim] = strings.seen.load(ordering: .acquiring)
            strings.ordered.add(1, ordering: .releasing)
            try eventually("the viewer has reconnected") {
                strings.done.load(ordering: .acquiring) > kill / viewers.count
            }
            try eventually("the next kill is due") { Instant.now >= next }
        }
    }

    // MARK: The checks

    /// Compares the answers that the agent reports with those in the timeline.
    private func expectEachIsAnsweredOnce(in log: [[UInt8]], _ session: String, _ home: BridgeHome) throws {
        let told = try log.compactMap { line in
            try JSONValue(validating: line)["params"]?["update"]?["content"]?["text"]?.stringValue
        }.filter { $0.hasPrefix("answer to ") }
        let timeline = try home.run("attach", SystemString(session), "--all", "--no-follow").outputText
            .split(separator: "\n").map { try JSONValue(validating: Array($0.utf8)) }
        func requests(_ kind: String) -> [String] {
            timeline.filter { $0["kind"]?.stringValue == kind }.compactMap { $0["data"]?["requestId"]?.rawString }
        }
        let asked = requests("permission_request")
        #expect(asked.count > Self.kills / 2)
        #expect(Set(asked).count == asked.count)
        #expect(told.sorted() == asked.map { "answer to \($0)" }.sorted())
        #expect(requests("permission_answer").sorted() == asked.sorted())
        let ends = timeline.count { $0["kind"]?.stringValue == "turn_end" }
        #expect(ends == timeline.count { $0["kind"]?.stringValue == "prompt" })
    }
}

/// The Python SDK's client over `/acp`; does nothing if the SDK is not installed.
private struct ThirdEditor {
    private let process: EditorProcess?
    private let stopFile: String

    init(at session: String, of daemon: Daemon, in home: BridgeHome) throws {
        stopFile = home.path + "/stop"
        guard PythonSDK.isInstalled, let url = daemon.ready["url"]?.stringValue else {
            process = nil
            return
        }
        let token = String(decoding: FileBytes.read(home.token) ?? [], as: UTF8.self).filter { !$0.isWhitespace }
        process = try PythonSDK(home).startClient(
            taking: ["join:\(session)", "queue:\(stopFile)"], over: "\(url)/acp?session=\(session)", token: token)
    }

    /// Waits for the end of its last turn, if it has had a turn.
    func end() throws {
        guard let process else { return }
        let stopped = Array(#"stopped "end_turn""#.utf8)
        while let line = try process.readLineBytes(), line != stopped {}
        try FileBytes.write([], to: stopFile)
        let outcome = try process.outcome()
        #expect(outcome.status == .exited(code: 0), "\(outcome.errorText)")
    }
}
