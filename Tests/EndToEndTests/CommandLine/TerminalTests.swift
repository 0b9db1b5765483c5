import AgentProcess
import Glibc
import JSONScan
import Posix
import Testing

/// The questions that a user at a terminal gets, and the input that the terminal accepts.
@Suite(.blocking) struct TerminalTests {
    private func terminal(_ arguments: SystemString..., in home: BridgeHome) throws -> EditorProcess {
        try EditorProcess([Binary.acpbridge] + arguments, in: home, wiring: .terminal)
    }

    /// A terminal that lets its user edit the text.
    private func keyTerminal(_ arguments: SystemString..., in home: BridgeHome) throws -> EditorProcess {
        try EditorProcess(
            [Binary.acpbridge] + arguments, in: home, wiring: .terminal, environment: ["TERM=xterm"])
    }

    private func text(_ process: EditorProcess) -> String { String(decoding: process.outputBytes, as: UTF8.self) }

    private func wait(_ process: EditorProcess, for words: String, times: Int = 1) throws {
        try process.wait(until: "the terminal shows '\(words)'") {
            text(process).ranges(of: words).count >= times
        }
    }

    /// A terminal that controls the session of a kept agent.
    private func takingTerminal(in home: BridgeHome) throws -> EditorProcess {
        let front = try terminal("attach", "latest", "--take", in: home)
        try front.waitForError("you control this session")
        try wait(front, for: "> ")
        return front
    }

    /// Returns the lock of the bridge, which the terminal waits for: a bridge that starts or stops holds it.
    private func killBridge(of front: EditorProcess, in home: BridgeHome) throws -> FileLock {
        kill(try #require(home.daemon), SIGKILL)
        let lock = try FileLock(path: home.path + "/run/bridge.lock", waiting: true)
        try front.waitForError("the connection was lost")
        return lock
    }

    /// Leaves a terminal whose agent is idle.
    private func leave(_ front: EditorProcess) throws {
        front.kill(SIGINT)
        try front.wait(until: "a second Ctrl-C leaves") { front.errorText.contains("again or Ctrl-D to exit") }
        front.kill(SIGINT)
        #expect(try front.outcome().status == .exited(code: 0))
    }

    /// An agent that continued to run after its editor left.
    private func withKeptAgent(
        _ agent: [SystemString] = [Binary.demoAgent], toldOf capabilities: String = "{}",
        _ body: (BridgeHome) throws -> Void
    ) throws {
        try BridgeHome.with { home in
            let editor = try EditorSession(agent, in: home, options: ["--keep"], capabilities: capabilities)
            editor.process.closeInput()
            #expect(try editor.process.exitStatus() == .exited(code: 0))
            try body(home)
        }
    }

    @Test func promptAsksItsUserForPermission() throws {
        try withKeptAgent { home in
            let prompt = try terminal("prompt", "latest", "hello 3 chunks", in: home)
            try wait(prompt, for: "? permission:")
            try wait(prompt, for: "1 ")
            try prompt.sendLine("nonsense")
            try wait(prompt, for: "Type 1 to")
            try prompt.sendLine("1")
            #expect(try prompt.outcome().status == .exited(code: 0))
            let user = try #require(UserDatabase.name(of: geteuid()))
            #expect(text(prompt).contains("(\(user))"))
            #expect(text(prompt).hasSuffix("— end_turn\u{1b}[0m\n"))
        }
    }

    @Test func aDialogClosesWhenAnotherClientAnswers() throws {
        try BridgeHome.with { home in
            let editor = try EditorSession([Binary.demoAgent], in: home)
            let viewer = try terminal("attach", "latest", "--pretty", in: home)
            try wait(viewer, for: "started")
            try editor.send(prompt: "hello 3 chunks")
            let asked = try #require(try editor.process.readLines(until: "session/request_permission").last)
            try wait(viewer, for: "1 ")
            let request = try JSONValue(validating: Array(asked.utf8))
            let option = try #require(request["params"]?["options"]?.elements.first)
            try editor.process.sendLine(
                #"{"jsonrpc":"2.0","id":\#(request["id"]?.rawString ?? ""),"result":{"outcome":{"outcome":"selected","optionId":"\#(option["optionId"]?.stringValue ?? "")"}}}"#
            )
            try wait(viewer, for: "\(option["name"]?.stringValue ?? "?") (editor)")
            try editor.waitForAnswer()
            try wait(viewer, for: "end_turn")
            try editor.end()
            #expect(try viewer.outcome().status == .exited(code: 0))
        }
    }

    @Test func withoutATerminalTheUserIsNotAsked() throws {
        try withKeptAgent { home in
            let prompt = try EditorProcess(
                [Binary.acpbridge, "prompt", "latest", "--pretty", "hello 3 chunks"], in: home)
            try prompt.wait(until: "the permission request is shown") { text(prompt).contains("? permission:") }
            prompt.kill(SIGINT)
            #expect(try prompt.outcome().status == .exited(code: 6))
            #expect(!text(prompt).contains("1 "))
        }
    }

    @Test func aKeptSessionContinuesInATerminal() throws {
        try withKeptAgent { home in
            let front = try takingTerminal(in: home)
            try front.sendLine("hello 3 chunks")
            try wait(front, for: "1 ")
            try front.sendLine("1")
            try wait(front, for: "end_turn")
            try front.sendLine("hello 2000 chunks no permission")
            try wait(front, for: "[>] Read demo-notes.md", times: 2)
            front.kill(SIGINT)
            try wait(front, for: "cancelled")
            try leave(front)
            #expect(front.errorText.contains("detached;"))
        }
    }

    @Test func aTerminalWithoutItsBridgeClaimsNothingAndEnds() throws {
        try withKeptAgent { home in
            let front = try takingTerminal(in: home)
            try front.sendLine("hello 3 chunks")
            try wait(front, for: "1 ")
            let lock = try killBridge(of: front, in: home)
            try front.sendLine("1")
            try wait(front, for: "Your answer was not sent")
            front.kill(SIGINT)
            try front.waitForError("cancelling the turn when the bridge can be reached again")
            lock.release()
            let outcome = try front.outcome()
            #expect(outcome.status == .exited(code: 1))
            #expect(outcome.errorText.contains("Error: the bridge has ended"))
        }
    }

    @Test func aTerminalKeepsThePromptsThatAKilledBridgeDidNotGet() throws {
        try withKeptAgent { home in
            let front = try takingTerminal(in: home)
            let lock = try killBridge(of: front, in: home)
            try front.sendLine("hello there")
            try front.waitForError("the prompt will be sent when the bridge can be reached again")
            lock.release()
            let outcome = try front.outcome()
            #expect(outcome.status == .exited(code: 1))
            #expect(outcome.errorText.contains("your unsent text for") && outcome.errorText.contains("\nhello there"))
        }
    }

    @Test func anAnswerInAnotherTerminalShowsTheChangeThatARequestOfVersion2OnlyNames() throws {
        try BridgeHome.with { home in
            let editor = try EditorSession([Binary.demoAgent], in: home, version: 2)
            try editor.send(prompt: "hello 3 chunks pace=0")
            try editor.process.readLines(until: "session/request_permission")
            let answer = try terminal("answer", "latest", in: home)
            try wait(answer, for: "1 Allow")
            #expect(text(answer).contains("demo-notes.md") && text(answer).contains("+"))
            try answer.sendLine("1")
            #expect(try answer.outcome().status == .exited(code: 0))
            try editor.end()
        }
    }

    @Test func aTerminalRefusesFileRequestsAndTheTurnContinues() throws {
        try withKeptAgent(toldOf: #"{"fs":{"readTextFile":true,"writeTextFile":true},"terminal":true}"#) { home in
            let front = try terminal("attach", "latest", "--take", in: home)
            try front.waitForError("you control this session")
            try front.sendLine("hello 3 chunks no permission")
            try wait(front, for: "end_turn")
            let client = try TinyvexTestClient(home)
            let recent = try client.call("tinyvex/history.recentSessions")["result"]?.elements.first
            let session = try #require(recent?["sessionId"]?.stringValue)
            let updates = try client.history(of: session).map { String(decoding: $0.line, as: UTF8.self) }
            let refusal = "the session's client is a terminal, which does not support fs/"
            #expect(updates.contains { $0.contains(#""status":"failed""#) && $0.contains(refusal) })
            try leave(front)
        }
    }

    @Test func aTerminalCanSendPromptsBesideTheEditor() throws {
        try BridgeHome.with { home in
            let editor = try EditorSession([Binary.demoAgent], in: home)
            let front = try terminal("attach", "latest", "--take", in: home)
            try front.waitForError("the session's editor is still connected")
            let reading = try Background { try editor.process.readLines(until: "usage_update") }
            try front.sendLine("hello 3 chunks no permission")
            try wait(front, for: "end_turn")
            try reading.wait()
            try leave(front)
            try editor.prompt("hello 3 chunks no permission")
        }
    }

    /// The input line does not appear between the parts of the turn.
    @Test func anotherClientsTurnIsShownWithoutInterruption() throws {
        try BridgeHome.with { home in
            let editor = try EditorSession([Binary.demoAgent], in: home)
            let front = try terminal("attach", "latest", "--take", in: home)
            try wait(front, for: "> ")
            try editor.prompt("hello 30 chunks pace=20 no permission quiet")
            try wait(front, for: "end_turn")
            let shown = text(front)
            let begin = try #require(shown.range(of: "hello 30 chunks")).upperBound
            let turn = shown[begin..<(try #require(shown.range(of: "end_turn")).lowerBound)]
            #expect(!turn.contains("\u{1b}[K"), "\(turn)")
        }
    }

    // MARK: Several sessions

    private func beginSession(_ title: SystemString, in home: BridgeHome) throws {
        _ = try home.run("run", "--agent", "demo", "--detach", "--title", title)
        #expect(try home.run("prompt", title, "hello 3 words no permission").status == .exited(code: 0))
    }

    @Test func withoutASessionATerminalListsTheRunningOnes() throws {
        try BridgeHome.with { home in
            try beginSession("shop", in: home)
            try beginSession("login", in: home)
            let viewer = try keyTerminal("attach", in: home)
            try wait(viewer, for: "q: quit")
            try viewer.send(Array("sho".utf8))
            try wait(viewer, for: "/sho")
            try viewer.send([0x0d])
            try wait(viewer, for: "agent demo started")
            _ = try home.run("stop", "shop")
            #expect(try viewer.outcome().status == .exited(code: 0), "it was the one that was chosen")

            // A part of a title is enough, if a session runs that has it.
            let named = try keyTerminal("attach", "ogi", "--take", in: home)
            try wait(named, for: "/ogi")
            try named.send(Array("\u{15}q".utf8))
            try wait(named, for: "/q")
            try named.send([0x1b])
            try wait(named, for: "q: quit")
            try named.send(Array("q".utf8))
            #expect(try named.outcome().status == .exited(code: 0))
            let unknown = try keyTerminal("attach", "xyz", in: home)
            #expect(try unknown.outcome().status == .exited(code: 3))
        }
    }

    /// A terminal in the session `login`, beside which `shop` runs.
    private func terminalOfTwoSessions(_ home: BridgeHome) throws -> EditorProcess {
        try beginSession("shop", in: home)
        try beginSession("login", in: home)
        let front = try keyTerminal("attach", "login", "--take", in: home)
        try front.waitForError("login, ")
        try wait(front, for: "> ")
        return front
    }

    @Test func aTerminalSwitchesBetweenSessionsAndNamesThoseThatWait() throws {
        try BridgeHome.with { home in
            let front = try terminalOfTwoSessions(home)
            let prompt = try EditorProcess([Binary.acpbridge, "prompt", "shop", "hello 3 words"], in: home)
            try wait(front, for: "[1 waiting, Ctrl-X w] shop")
            try front.send(Array("draft\u{18}".utf8))
            try wait(front, for: "n next")
            try front.send(Array("w".utf8))
            try front.waitForError("shop, ")
            try wait(front, for: "4 Always reject in this session: ")
            try front.send(Array("1\r".utf8))
            try wait(front, for: "end_turn", times: 2)
            #expect(try prompt.outcome().status == .exited(code: 0), "its request was answered")
            let noticeCount = text(front).ranges(of: "[1 waiting").count
            try front.send([0x18, UInt8(ascii: "l")])
            try front.wait(until: "the first session is shown again") {
                front.errorText.ranges(of: "login, ").count == 2 && text(front).hasSuffix("> draft")
            }
            try front.send([0x18, UInt8(ascii: "w")])
            try front.waitForError("no other session waits for you")
            #expect(text(front).ranges(of: "[1 waiting").count == noticeCount, "it is not named any longer")
            try front.send([0x18, UInt8(ascii: "n")])
            try front.wait(until: "the next session is shown") { front.errorText.ranges(of: "shop, ").count == 2 }
            try front.send([0x18, UInt8(ascii: "d")])
            #expect(try front.outcome().status == .exited(code: 0))
            #expect(front.errorText.contains("your unsent text for login:"))
        }
    }

    /// An earlier fault: only the first connection was watched.
    @Test func aTerminalThatHasSwitchedSessionsEndsWithItsBridge() throws {
        try BridgeHome.with { home in
            let front = try terminalOfTwoSessions(home)
            try front.send([0x18, UInt8(ascii: "n")])
            try front.waitForError("shop, ")
            try killBridge(of: front, in: home).release()
            let outcome = try front.outcome()
            #expect(outcome.status == .exited(code: 1))
            #expect(outcome.errorText.contains("Error: the bridge has ended"), "\(outcome.errorText)")
        }
    }

    @Test func aTerminalThatComesDuringAMessageDoesNotBreakItsLines() throws {
        try withKeptAgent { home in
            let prompt = try EditorProcess(
                [Binary.acpbridge, "prompt", "latest", "hello 300 words no permission"], in: home)
            try prompt.wait(until: "the answer has begun") {
                text(prompt).ranges(of: "agent_message_chunk").count > 60
            }
            let front = try keyTerminal("attach", "latest", "--take", in: home)
            try front.waitForError("you control this session")
            #expect(try prompt.outcome().status == .exited(code: 0))
            try wait(front, for: "end_turn")
            let whole = try home.run("attach", "latest", "--pretty", "--no-follow").outputText
            // Each part of a thought has its own colours.
            let shown = text(front).replacing("\u{1b}[0m\u{1b}[2m", with: "")
            let lines = whole.split(separator: "\n").filter { $0.utf8.count > 60 }
            #expect(!lines.isEmpty)
            for line in lines { #expect(shown.contains(line), "\(line)") }
        }
    }

    // MARK: Editing

    private func editingTerminal(in home: BridgeHome) throws -> EditorProcess {
        let front = try keyTerminal("attach", "latest", "--take", in: home)
        try wait(front, for: "> ")
        return front
    }

    private func prompts(_ home: BridgeHome) throws -> [String?] {
        let lines = try wholeLines(of: home.run("attach", "latest", "--all", "--no-follow").output)
        return try lines.map(JSONValue.init(validating:)).filter { $0["kind"]?.stringValue == "prompt" }
            .map { $0["data"]?["prompt"]?.elements.first?["text"]?.stringValue }
    }

    @Test func aPastedTextIsOnePromptAndTheTerminalIsRestoredAtTheEnd() throws {
        try withKeptAgent { home in
            let front = try editingTerminal(in: home)
            #expect(text(front).contains("\u{1b}[?2004h"))
            let prompt = "hello 3 words no permission\n\n" + String(repeating: "日本 ", count: 1_000)
            try front.send(Array("\u{1b}[200~\(prompt)\u{1b}[201~\r".utf8))
            try wait(front, for: "end_turn")
            #expect(try prompts(home) == [prompt])
            front.kill(SIGTERM)
            #expect(try front.outcome().status == .signaled(signal: SIGTERM))
            #expect(text(front).hasSuffix("\u{1b}[?2004l\r\n\u{1b}[J"))
        }
    }

    @Test func anInterruptDropsTheTextBeforeItLeaves() throws {
        try withKeptAgent { home in
            let front = try editingTerminal(in: home)
            try front.send(Array("half".utf8))
            try wait(front, for: "> half")
            front.kill(SIGINT)
            try front.wait(until: "the text is dropped") { text(front).hasSuffix("\u{1b}[J> ") }
            try front.send(Array("hellox\u{7f} 3 words no permission\r".utf8))
            try wait(front, for: "end_turn")
            #expect(try prompts(home) == ["hello 3 words no permission"])
            try leave(front)
            #expect(text(front).hasSuffix("\u{1b}[?2004l"))
        }
    }

    @Test func ctrlCEndsPromptWhileItsTextIsTyped() throws {
        try withKeptAgent { home in
            let prompt = try terminal("prompt", "latest", in: home)
            try prompt.waitForError("Type the prompt for ")
            prompt.kill(SIGINT)
            #expect(try prompt.outcome().status == .signaled(signal: SIGINT))
            #expect(try prompts(home).isEmpty)
        }
    }

    /// Whether the process reads Ctrl-C itself.
    private func blocksInterrupts(_ process: EditorProcess, _ home: BridgeHome) throws -> Bool {
        let blocked = try home.shell("sed -n 's/^SigBlk:.//p' /proc/\(process.pid)/status").outputText
        let mask = UInt64(blocked.filter(\.isHexDigit), radix: 16) ?? 0
        return mask & (1 << (UInt64(SIGINT) - 1)) != 0
    }

    @Test func ctrlCEndsPromptWhileTheBridgeDoesNotAnswer() throws {
        try withKeptAgent { home in
            let bridge = Int32(try #require(home.status()["pid"]?.int64Value))
            kill(bridge, SIGSTOP)
            defer { kill(bridge, SIGCONT) }
            let prompt = try terminal("prompt", "latest", "hello", in: home)
            try eventually("it waits for the bridge") { try blocksInterrupts(prompt, home) }
            let start = ContinuousClock.now
            prompt.kill(SIGINT)
            #expect(try prompt.outcome().status == .signaled(signal: SIGINT))
            // A connection is given up after ten.
            #expect(ContinuousClock.now - start < .seconds(8))
        }
    }

    @Test func promptNamesAnUnknownSessionBeforeItReadsTheText() throws {
        try withKeptAgent { home in
            // Its input stays open.
            let outcome = try EditorProcess([Binary.acpbridge, "prompt", "nosuch"], in: home).outcome()
            #expect(outcome.status == .exited(code: 3))
            #expect(outcome.errorText.contains("nosuch"))
        }
    }

    @Test func aTextIsPrintedIfCtrlCEndsTheCommandWhileTheSessionsAreListed() throws {
        try withKeptAgent { home in
            let front = try editingTerminal(in: home)
            try front.send(Array("half a thought".utf8))
            try wait(front, for: "> half a thought")
            let bridge = Int32(try #require(home.status()["pid"]?.int64Value))
            kill(bridge, SIGSTOP)
            defer { kill(bridge, SIGCONT) }
            try front.send([0x18, UInt8(ascii: "s")])
            try wait(front, for: "\u{1b}[?2004l")
            front.kill(SIGINT)
            try front.waitForError("your unsent text for")
            #expect(try front.outcome().status == .signaled(signal: SIGINT))
            #expect(front.errorText.contains("half a thought"))
        }
    }

    /// A terminal whose agent works, and whose second prompt waits.
    private func terminalWithWaitingPrompt(in home: BridgeHome) throws -> EditorProcess {
        let front = try editingTerminal(in: home)
        try front.send(Array("hello 4000 words no permission\r".utf8))
        try wait(front, for: "[>] Answer")
        try front.send(Array("and then?\r".utf8))
        try front.waitForError("will be sent when the running turn ends")
        return front
    }

    @Test func aPromptThatWaitsIsSentAfterItsTerminalHasLeft() throws {
        try withKeptAgent { home in
            let front = try terminalWithWaitingPrompt(in: home)
            try front.send([0x04])
            #expect(try front.outcome().status == .exited(code: 0))
            #expect(front.errorText.contains("the agent continues, and gets the prompt that waits:"))
            #expect(text(front).hasSuffix("\n\u{1b}[?2004l"), "the message begins on a line of its own")
            _ = try home.run("cancel", "latest")
            try front.wait(until: "the prompt is sent") { try prompts(home).last == "and then?" }
        }
    }

    @Test func aSwitchAfterAnInterruptWaitsForTheCancellation() throws {
        try withKeptAgent { home in
            let front = try terminalWithWaitingPrompt(in: home)
            front.kill(SIGINT)
            try front.waitForError("cancelling the turn")
            try front.send([0x18, UInt8(ascii: "s")])
            try wait(front, for: "q: quit")
            try front.send(Array("q".utf8))
            try front.wait(until: "the prompt is the draft") { text(front).hasSuffix("> and then?") }
            try eventually("the turn is cancelled") { try home.run("sessions").outputText.contains("idle") }
            #expect(try prompts(home) == ["hello 4000 words no permission"])
            try front.send([0x18, UInt8(ascii: "d")])
            #expect(try front.outcome().status == .exited(code: 0))
        }
    }

    @Test func aDraftRemainsWhileTheAgentAsksAQuestion() throws {
        try withKeptAgent { home in
            let front = try editingTerminal(in: home)
            try front.send(Array("draft".utf8))
            try wait(front, for: "> draft")
            let other = try EditorProcess([Binary.acpbridge, "prompt", "latest", "hello 3 chunks"], in: home)
            try wait(front, for: "1 Allow")
            try front.send(Array("1\r".utf8))
            try wait(front, for: "end_turn")
            try front.wait(until: "the draft is shown") { text(front).hasSuffix("> draft") }
            #expect(try other.outcome().status == .exited(code: 0))
            front.kill(SIGINT)
            try front.wait(until: "the text is dropped") { text(front).hasSuffix("\u{1b}[J> ") }
            try leave(front)
        }
    }

    @Test func aTextInPlaceOfAnAnswerIsTheDraftOfTheNextPrompt() throws {
        try withKeptAgent { home in
            let front = try editingTerminal(in: home)
            let other = try EditorProcess([Binary.acpbridge, "prompt", "latest", "hello 3 chunks"], in: home)
            try wait(front, for: "1 Allow")
            try front.send(Array("also test it\r".utf8))
            try wait(front, for: "Your text is kept for the next prompt.")
            try front.send(Array("1\r".utf8))
            try wait(front, for: "end_turn")
            try front.wait(until: "the draft is shown") { text(front).hasSuffix("> also test it") }
            #expect(try other.outcome().status == .exited(code: 0))
            front.kill(SIGINT)
            try front.wait(until: "the text is dropped") { text(front).hasSuffix("\u{1b}[J> ") }
            try leave(front)
        }
    }

    @Test func commandsConfirmTheirEffectOnATerminalOnly() throws {
        try withKeptAgent { home in
            for (words, message) in [
                (["rename", "latest", "login"], "is now named 'login'."),
                (["set", "login", "mode", "yolo"], "'mode' is now 'yolo'."),
                (["stop", "login"], "has ended."),
            ] as [([SystemString], String)] {
                if words[0] != "stop" {
                    let outcome = try EditorProcess([Binary.acpbridge] + words, in: home).outcome()
                    #expect(outcome.status == .exited(code: 0) && outcome.errorText.isEmpty, "\(outcome.errorText)")
                }
                let shown = try EditorProcess(
                    shell(#"exec "$@" 2>&0"#, Binary.acpbridge) + words, in: home, wiring: .terminal)
                try wait(shown, for: message)
                #expect(try shown.outcome().status == .exited(code: 0))
            }
        }
    }

    @Test func atTheEndOfTheAgentTheTerminalNamesTheCommandThatContinues() throws {
        try withKeptAgent { home in
            let front = try EditorProcess(
                shell(#"exec "$@" 2>&0"#, Binary.acpbridge, "attach", "latest", "--take"), in: home, wiring: .terminal,
                environment: ["TERM=xterm"])
            try wait(front, for: "> ")
            #expect(try home.run("stop", "latest").status == .exited(code: 0))
            #expect(try front.outcome().status == .exited(code: 0))
            #expect(text(front).contains("acpbridge run --resume "), "\(text(front))")
        }
    }

    @Test func theTerminalNamesTheSessionAndCompletesTheAgentsCommands() throws {
        try withKeptAgent { home in
            let front = try editingTerminal(in: home)
            #expect(front.errorText.contains(", mode ask; you control this session now"), "\(front.errorText)")
            try front.send(Array("/he\t".utf8))
            try front.wait(until: "the command is complete") { text(front).hasSuffix("> /help ") }
            front.kill(SIGINT)
            try front.wait(until: "the text is dropped") { text(front).hasSuffix("\u{1b}[J> ") }
            try leave(front)
        }
    }

    @Test func takeRequiresATerminal() throws {
        try withKeptAgent { home in
            let outcome = try home.run("attach", "latest", "--take")
            #expect(outcome.status == .exited(code: 1))
            #expect(outcome.errorText.contains("acpbridge prompt"))
        }
    }
}
