import AgentProcess
import Glibc
import JSONScan
import Testing

@Suite(.blocking) struct AttachTests {
    /// A bridge with a demo agent. Its session has completed one turn and is still running.
    private func withTurn(
        _ prompt: String = "hello 5 chunks pace=0 no permission", _ body: (BridgeHome, EditorSession) throws -> Void
    ) throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let editor = try EditorSession([Binary.demoAgent], in: home)
            try editor.prompt(prompt)
            try home.waitUntilStored()
            try body(home, editor)
        }
    }

    private func text(_ lines: some Sequence<[UInt8]>) -> [UInt8] { Array(lines.map { $0 + [0x0a] }.joined()) }

    private func kind(_ line: [UInt8]) throws -> String {
        try JSONValue(validating: line)["params"]?["update"]?["sessionUpdate"]?.stringValue ?? ""
    }

    @Test func theOutputCanBePipedIntoJq() throws {
        try withTurn { home, editor in
            try editor.end()
            let outcome = try home.shell("acpbridge attach latest | jq -c .params.update.sessionUpdate")
            #expect(outcome.status == .exited(code: 0), "\(outcome.errorText)")
            let kinds = try editor.updates.map { "\"\(try kind($0))\"" }
            #expect(outcome.outputText == kinds.joined(separator: "\n") + "\n")
            #expect(outcome.errorText == "")
        }
    }

    /// An earlier fault: the output ended in the middle of a message.
    @Test func theReadableOutputOfALiveSessionEndsWithALineFeed() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let editor = try EditorProcess(BridgeHome.bridged(rude("stall")), in: home)
            try editor.openSession()
            try editor.exchange(editor.prompt(id: "2"), until: #""n":4"#)
            let outcome = try home.run("attach", "rude-1", "--no-follow", "--pretty")
            #expect(outcome.status == .exited(code: 0) && outcome.outputText.hasSuffix("\n"))
        }
    }

    @Test func aClosedPipeEndsAttachWithoutAnError() throws {
        try withTurn { home, editor in
            let outcome = try home.shell("acpbridge attach latest | head -3")
            #expect(outcome.status == .exited(code: 0))
            #expect(outcome.errorText == "")
            expectSame(outcome.output, text(editor.updates.prefix(3)), "the first three updates")
        }
    }

    @Test func tenConcurrentReadersGetTheAgentsExactBytes() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let agent: [SystemString] = [
                Binary.rudeAgent, "flood", "--on", "prompt", "--lines", "3000", "--rate", "2000",
            ]
            let editor = try EditorSession(agent, in: home)
            let stream = try editor.promptMeanwhile("go")
            let attached = try (0..<10).map { _ in try EditorProcess([Binary.acpbridge, "attach", "rude-1"], in: home) }
            try stream.wait()
            try editor.end()
            let wanted = Outcome(output: text(editor.updates), error: [], status: .exited(code: 0))
            for process in attached { expectSame(try process.outcome(), wanted) }
        }
    }

    @Test func theFlatFormatHasALineForEachEntryWithTheSameMembers() throws {
        try withTurn("hello no permission pace=0 50 chunks") { home, editor in
            try editor.end()
            let outcome = try home.run("attach", "latest", "--format", "flat")
            #expect(outcome.status == .exited(code: 0) && outcome.errorText == "")
            let lines = wholeLines(of: outcome.output)
            let all = wholeLines(of: try home.run("attach", "latest", "--all").output)
            #expect(lines.count == all.count)
            for line in lines {
                let value = try JSONValue(validating: line)
                let names = value.members.map(\.name)
                #expect(line.count < 4096 && names.starts(with: ["seq", "ts", "session", "agent", "kind"]))
                #expect(names.last == "text")
            }
            let updates = try home.run("attach", "latest", "--format", "flat", "--kinds", "tool_call")
            let calls = try wholeLines(of: updates.output).map { try JSONValue(validating: $0) }
            #expect(!calls.isEmpty)
            #expect(
                calls.allSatisfy { $0["kind"]?.stringValue == "tool_call" && $0["tool"] != nil && $0["call"] != nil })
        }
    }

    @Test func fromSelectsTheFirstUpdate() throws {
        try withTurn { home, editor in
            let all = editor.updates
            let rows: [(from: SystemString, wanted: [[UInt8]])] = [
                ("start", all), ("now", []), ("1", all), ("4", Array(all.dropFirst(3))),
                (SystemString("\(all.count)"), [all[all.count - 1]]), (SystemString("\(all.count + 1)"), []),
            ]
            for (from, wanted) in rows {
                let outcome = try home.run("attach", "latest", "--no-follow", "--from", from)
                #expect(outcome.status == .exited(code: 0))
                expectSame(outcome.output, text(wanted), "from \(from)")
                let enveloped = try home.run("attach", "latest", "--no-follow", "--envelope", "--from", from)
                #expect(wholeLines(of: enveloped.output).count == wanted.count, "--envelope from \(from)")
            }
        }
    }

    @Test func tailSelectsTheLastUpdates() throws {
        try withTurn { home, editor in
            let all = editor.updates
            for count in [0, 1, 3, all.count, all.count + 1] {
                let outcome = try home.run("attach", "latest", "--no-follow", "--tail", SystemString("\(count)"))
                expectSame(outcome.output, text(Array(all.suffix(count))), "the last \(count)")
            }
            #expect(try home.run("attach", "latest", "--tail", "3", "--from", "4").status == .exited(code: 64))
            #expect(try home.run("attach", "latest", "--tail", "-3").status == .exited(code: 64))
        }
    }

    @Test func anOpenRequestBeforeTheTailIsShownAndAnAnsweredOneIsNot() throws {
        try BridgeHome.with { home in
            try home.addAgent("first", [Binary.demoAgent, "--v1"])
            let run = try home.run("run", "--agent", "first", "--detach", "ask permission no plan no thoughts")
            let id = SystemString(String(run.outputText.dropLast()))
            try eventually("the agent waits") { try !home.run("answer", "--json").output.isEmpty }
            func tail() throws -> String {
                try home.run("attach", id, "--no-follow", "--pretty", "--tail", "0").outputText
            }
            #expect(try tail().contains("? permission: "))
            _ = try home.run("answer", id, "--option", "reject")
            try eventually("the answer is stored") { try !tail().contains("? permission: ") }
        }
    }

    @Test func fromNowFollowsUntilTheSessionEnds() throws {
        try withTurn { home, editor in
            let before = editor.updates.count
            let attach = try EditorProcess([Binary.acpbridge, "attach", "latest", "--from", "now"], in: home)
            try eventually("attach has subscribed") { try home.status()["subscriptions"]?.int64Value == 1 }
            try editor.prompt("more 3 chunks pace=0 quiet")
            try editor.end()
            let outcome = try attach.outcome()
            expectSame(outcome.output, text(editor.updates.dropFirst(before)), "the updates since the subscription")
            #expect(outcome.status == .exited(code: 0))
        }
    }

    @Test func anEnvelopeAddsNumberTimeAndKindToTheUnchangedUpdate() throws {
        try withTurn { home, editor in
            let outcome = try home.run("attach", "latest", "--no-follow", "--envelope")
            let lines = wholeLines(of: outcome.output)
            expectSame(
                lines.compactMap { try? JSONValue(validating: $0)["notification"].map { Array($0.rawText) } },
                editor.updates)
            for (index, line) in lines.enumerated() {
                let value = try JSONValue(validating: line)
                #expect(value.members.map(\.name) == ["seq", "ts", "kind", "notification"])
                #expect(value["seq"]?.int64Value == Int64(index) + 1)
                #expect(value["kind"]?.stringValue == "update")
                #expect(value["ts"]?.stringValue?.wholeMatch(of: /20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil)
            }
        }
    }

    @Test func allAlsoPrintsEntriesThatAreNotUpdates() throws {
        try withTurn { home, editor in
            try editor.end()
            let outcome = try home.run("attach", "latest", "--all")
            let kinds = try wholeLines(of: outcome.output).map {
                try JSONValue(validating: $0)["kind"]?.stringValue ?? ""
            }
            #expect(kinds.filter { $0 != "update" } == ["agent_start", "prompt", "turn_end", "agent_exit"])
            #expect(kinds.count(where: { $0 == "update" }) == editor.updates.count)
            #expect(kinds.last == "agent_exit")
        }
    }

    @Test func kindsPrintsOnlyTheGivenKinds() throws {
        try withTurn { home, editor in
            for options: [SystemString] in [[], ["--envelope"]] {
                let kinds: [SystemString] = ["--kinds", "plan,agent_message_chunk"]
                let process = try EditorProcess(
                    [Binary.acpbridge, "attach", "latest", "--no-follow"] + kinds + options, in: home)
                let wanted = try editor.updates.filter { ["plan", "agent_message_chunk"].contains(try kind($0)) }
                #expect(wanted.count > 5)
                #expect(wholeLines(of: try process.outcome().output).count == wanted.count)
            }
        }
    }

    @Test func prettyShowsTheConversationWithoutTerminalCommands() throws {
        try withTurn("/echo A bell \\u0007 and a \\u001b[31mcolour.") { home, editor in
            let outcome = try home.run("attach", "latest", "--no-follow", "--pretty")
            #expect(outcome.status == .exited(code: 0))
            #expect(outcome.outputText.contains("A bell "))
            #expect(!outcome.output.contains(0x07))
            #expect(!outcome.output.contains(0x1b))
        }
    }

    @Test func attachReconnectsAfterAKilledBridgeAndPrintsEachLineOnce() throws {
        try BridgeHome.with { home in
            let daemon = try Daemon(home)
            let environment: [SystemString] = [SystemString("ACP_DEMO_STATE=\(home.path)/demo")]
            let first = try EditorSession([Binary.demoAgent], in: home, environment: environment)
            try first.prompt("hello 50 chunks pace=0 quiet")
            let forms: [[SystemString]] = [[], ["--envelope"]]
            let attached = try forms.map { options in
                try EditorProcess([Binary.acpbridge, "attach", "latest"] + options, in: home)
            }
            for process in attached {
                try process.wait(until: "the command has printed all updates") {
                    wholeLines(of: process.outputBytes).count == first.updates.count
                }
            }
            try daemon.killAtOnce()
            for process in attached { try process.waitForError("reconnecting") }
            _ = try first.process.outcome()

            _ = try Daemon(home)
            for process in attached {
                let outcome = try process.outcome()
                #expect(outcome.status == .exited(code: 0), "\(outcome.errorText)")
                let updates = wholeLines(of: outcome.output).map { line in
                    (try? JSONValue(validating: line)["notification"].map { Array($0.rawText) }) ?? line
                }
                expectSame(updates, first.updates)
            }
        }
    }

    @Test func attachedReadersReceiveTheEndOfAStoppedSession() throws {
        try withTurn { home, editor in
            let forms: [[SystemString]] = [[], ["--envelope", "--all"], ["--pretty"]]
            let attached = try forms.map { options in
                try EditorProcess([Binary.acpbridge, "attach", "latest"] + options, in: home)
            }
            try eventually("all three commands have subscribed") { try home.status()["subscriptions"]?.int64Value == 3 }
            #expect(try home.run("stop").status == .exited(code: 0))
            _ = try editor.process.outcome()
            let outcomes = try attached.map { try $0.outcome() }
            for outcome in outcomes {
                #expect(outcome.status == .exited(code: 0))
                #expect(outcome.errorText == "")
            }
            expectSame(outcomes[0].output, text(editor.updates), "all updates")
            let last = try JSONValue(validating: try #require(wholeLines(of: outcomes[1].output).last))
            #expect(last["kind"]?.stringValue == "agent_exit")
            #expect(outcomes[2].outputText.hasSuffix("agent ended with status 0\n"))
        }
    }

    @Test func prettyReportsAnInterruptedSession() throws {
        try BridgeHome.with { home in
            let daemon = try Daemon(home)
            let editor = try EditorSession([Binary.demoAgent], in: home)
            try editor.prompt("/echo hello")
            let attach = try EditorProcess([Binary.acpbridge, "attach", "latest", "--pretty"], in: home)
            try attach.wait(until: "attach has printed the turn") {
                wholeLines(of: attach.outputBytes).contains(Array("— end_turn".utf8))
            }
            try daemon.killAtOnce()
            _ = try editor.process.outcome()
            _ = try Daemon(home)
            let outcome = try attach.outcome()
            #expect(outcome.status == .exited(code: 0), "\(outcome.errorText)")
            #expect(outcome.outputText.hasSuffix("— end_turn\nagent ended, because its bridge was killed\n"))
            let lines = try home.run("attach", "latest", "--envelope", "--all", "--no-follow").output
            let last = try #require(wholeLines(of: lines).last.map { try JSONValue(validating: $0) })
            #expect(last["kind"]?.stringValue == "agent_exit")
            #expect(last["data"]?.rawString == #"{"reason":"interrupted"}"#)
            #expect(try home.run("sessions", "--all").outputText.contains(" interrupted "))
            let stored = try home.run("attach", "latest", "--no-follow")
            #expect(
                stored.errorText
                    == "acpbridge: the session's bridge was killed, which ended it; `acpbridge run --resume \(editor.sessionId)` continues it\n"
            )
            #expect(
                try home.run("sessions").errorText.hasSuffix(
                    "1 of them was interrupted; `acpbridge run --resume SESSION` continues one.\n"))
        }
    }

    @Test func attachContinuesWhenAnotherAgentLoadsTheSession() throws {
        try BridgeHome.with { home in
            let daemon = try Daemon(home)
            let environment: [SystemString] = [SystemString("ACP_DEMO_STATE=\(home.path)/demo")]
            let first = try EditorSession([Binary.demoAgent], in: home, environment: environment)
            try first.prompt("hello 50 chunks pace=0 quiet")
            // `attach` is stopped during the restart, so that it comes back only when the session runs again.
            let attach = try EditorProcess([Binary.acpbridge, "attach", "latest"], in: home)
            try attach.wait(until: "the command has printed all updates") {
                wholeLines(of: attach.outputBytes).count == first.updates.count
            }
            attach.kill(SIGSTOP)
            try daemon.killAtOnce()
            _ = try first.process.outcome()
            _ = try Daemon(home)
            let second = try EditorSession(
                [Binary.demoAgent], in: home, loading: first.sessionId, environment: environment)
            attach.kill(SIGCONT)
            try second.prompt("again 20 chunks pace=0 quiet")
            try second.end()
            let outcome = try attach.outcome()
            #expect(outcome.status == .exited(code: 0), "\(outcome.errorText)")
            let log = try TinyvexTestClient(home).history(of: first.sessionId).map(\.line)
            #expect(log.count > first.updates.count + 20)
            expectSame(wholeLines(of: outcome.output), log)
        }
    }

    @Test func onABadNetworkAttachPrintsEachLineOnce() throws {
        try BridgeHome.with { home in
            let daemon = try Daemon(home, ["--listen", "127.0.0.1:0"])
            let network = try BadNetwork(to: try #require(daemon.address), BadNetwork.Fault.some(40, seed: 1))
            let agent: [SystemString] = [
                Binary.rudeAgent, "flood", "--on", "prompt", "--lines", "1000", "--rate", "1000",
            ]
            let editor = try EditorSession(agent, in: home)
            let stream = try editor.promptMeanwhile("go")
            let forms: [[SystemString]] = [[], ["--envelope"]]
            let attached = try forms.map { options in
                let bridge: [SystemString] = [
                    "--url", SystemString("ws://127.0.0.1:\(network.port)"), "--token-file", SystemString(home.token),
                ]
                return try EditorProcess([Binary.acpbridge, "attach", "rude-1"] + bridge + options, in: home)
            }
            try stream.wait()
            try editor.end()
            for process in attached {
                let outcome = try process.outcome()
                #expect(outcome.status == .exited(code: 0), "\(outcome.errorText)")
                let updates = wholeLines(of: outcome.output).map { line in
                    (try? JSONValue(validating: line)["notification"].map { Array($0.rawText) }) ?? line
                }
                expectSame(updates, editor.updates)
            }
            #expect(network.brokenCount > 20)
        }
    }

    /// This message has more updates than a reader with `latest` can be behind: 20,000.
    @Test func updatesDroppedByAPolicyAreReported() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let agent: [SystemString] = [
                Binary.rudeAgent, "flood", "--on", "prompt", "--lines", "20500", "--per-write", "100",
            ]
            let editor = try EditorSession(agent + ["--updates", "0", "--late", "0"], in: home)
            try editor.prompt("go")
            try editor.end()
            try home.waitUntilEnded()
            let all = editor.updates
            let plain = try home.run("attach", "rude-1", "--policy", "latest")
            #expect(plain.outputText == String(decoding: text([all[0], all[all.count - 1]]), as: UTF8.self))
            #expect(plain.errorText == "acpbridge: updates 2 to \(all.count - 1) were dropped (latest)\n")

            let envelope = try home.run("attach", "rude-1", "--policy", "latest", "--envelope")
            let lines = envelope.outputText.split(separator: "\n")
            // The prompt is between the first update and the others.
            #expect(lines.count == 4)
            #expect(lines[2] == #"{"kind":"skipped","fromSeq":3,"toSeq":\#(all.count - 1),"reason":"latest"}"#)
            #expect(try JSONValue(validating: Array(lines[3].utf8))["seq"]?.int64Value == Int64(all.count))
            #expect(envelope.errorText == "")

            let merged = try home.run("attach", "rude-1", "--policy", "merge")
            #expect(merged.outputText.split(separator: "\n").count < 100)
            #expect(merged.errorText == "")
        }
    }

    // MARK: Several sessions

    private func begin(_ title: SystemString, in home: BridgeHome) throws {
        _ = try home.run("run", "--agent", "demo", "--detach", "--title", title)
        #expect(try home.run("prompt", title, "hello 3 words no permission").status == .exited(code: 0))
    }

    private func sources(_ outcome: Outcome) throws -> [String: Int64] {
        var last: [String: Int64] = [:]
        for line in wholeLines(of: outcome.output) {
            let value = try JSONValue(validating: line)
            let (id, seq) = try (#require(value["session"]?.stringValue), #require(value["seq"]?.int64Value))
            #expect(value["agent"]?.stringValue == "demo")
            #expect(value["journal"]?.stringValue?.isEmpty == false)
            #expect(seq > last[id] ?? 0, "each session is in its order")
            last[id] = seq
        }
        return last
    }

    @Test func severalSessionsArePrintedInEnvelopesWithTheirNames() throws {
        try BridgeHome.with { home in
            try begin("shop", in: home)
            try begin("login", in: home)
            let outcome = try home.run("attach", "shop", "login", "shop", "--no-follow")
            #expect(outcome.status == .exited(code: 0))
            #expect(try sources(outcome).count == 2)
            #expect(try sources(home.run("attach", "--running", "--no-follow")) == sources(outcome))
            let plain = try home.run("attach", "shop", "login", "--no-follow", "--format", "lines")
            #expect(wholeLines(of: plain.output).count == wholeLines(of: outcome.output).count)
            let read = try home.run("attach", "shop", "login", "--no-follow", "--pretty")
            let shown = read.outputText.split(separator: "\n")
            #expect(shown.allSatisfy { $0.hasPrefix("shop  | ") || $0.hasPrefix("login | ") })
            for name in ["shop ", "login"] { #expect(shown.contains { $0.hasPrefix("\(name) | > hello") }, "\(name)") }
            let wrong = try home.run("attach", "shop", "nosuch", "--no-follow")
            #expect(wrong.status == .exited(code: 3))
        }
    }

    /// An earlier fault: the bridge was looked for during 70 s.
    @Test func theOutputOfSeveralSessionsEndsWithTheirKilledBridge() throws {
        try BridgeHome.with { home in
            try begin("shop", in: home)
            try begin("login", in: home)
            let attach = try EditorProcess([Binary.acpbridge, "attach", "shop", "login"], in: home)
            _ = try attach.readLine()
            kill(try #require(home.daemon), SIGKILL)
            let outcome = try attach.outcome()
            #expect(outcome.status == .exited(code: 1))
            #expect(outcome.errorText.contains("Error: the bridge has ended"), "\(outcome.errorText)")
        }
    }

    @Test func theHistoriesOfSeveralSessionsAreMergedByTime() throws {
        try BridgeHome.with { home in
            try begin("shop", in: home)
            try begin("login", in: home)
            for title: SystemString in ["shop", "login"] {
                #expect(try home.run("prompt", title, "hello 2 words no permission").status == .exited(code: 0))
            }
            let outcome = try home.run("attach", "login", "shop", "--all", "--no-follow")
            let values = try wholeLines(of: outcome.output).map(JSONValue.init(validating:))
            // An entry of a session can be a little earlier than the one before it, which it then follows.
            var last: [String: String] = [:]
            let times = values.compactMap { value -> String? in
                guard let id = value["session"]?.stringValue, let time = value["ts"]?.stringValue else { return nil }
                last[id] = max(time, last[id] ?? "")
                return last[id]
            }
            #expect(times.count == values.count && times == times.sorted())
            let prompts = values.filter { $0["kind"]?.stringValue == "prompt" }.compactMap {
                $0["session"]?.stringValue
            }
            #expect(
                prompts.count == 4 && prompts[0] == prompts[2] && prompts[1] == prompts[3] && prompts[0] != prompts[1])

            // Without envelopes, the lines are in the same order, byte for byte.
            let plain = try home.run("attach", "login", "shop", "--format", "lines", "--no-follow")
            let enveloped = values.compactMap { $0["notification"].map { Array($0.rawText) } }
            #expect(wholeLines(of: plain.output) == enveloped)
            let single = try home.run("attach", "shop", "--format", "lines", "--no-follow")
            let lines = wholeLines(of: single.output)
            #expect(!lines.isEmpty && enveloped.filter(lines.contains) == lines)
        }
    }

    /// Imported sessions have the times of their entries.
    @Test func sinceLeavesOutEarlierUpdates() throws {
        try BridgeHome.with { home in
            try begin("shop", in: home)
            let outcome = try home.shell(
                """
                cd "$ACPBRIDGE_HOME"
                acpbridge export shop | sed '2,8s/"ts":"[^"]*"/"ts":"2020-01-01T00:00:00.000Z"/' >old.ndjson
                old=$(acpbridge import old.ndjson)
                for start in '--since 36500d' '--since 1d' '--since 0'; do
                    acpbridge attach "$old" --no-follow --format lines $start | wc -l
                    acpbridge attach "$old" shop --no-follow --pretty $start | grep -c "> hello"
                done
                """)
            let counts = outcome.outputText.split(separator: "\n").compactMap { Int($0) }
            #expect(counts.count == 6, "\(outcome.outputText)\(outcome.errorText)")
            guard counts.count == 6 else { return }
            #expect(counts[0] > counts[2] && counts[2] > 0 && counts[4] == 0)
            #expect(counts[1] == 2 && counts[3] == 1 && counts[5] == 0)
        }
    }

    @Test func runningFollowsSessionsThatBeginLaterAndThoseThatContinue() throws {
        try BridgeHome.with { home in
            // The demo agent continues a session from this file.
            let state: [SystemString] = [SystemString("ACP_DEMO_STATE=\(home.path)/demo")]
            _ = try home.run("run", "--agent", "demo", "--detach", "--title", "shop", environment: state)
            let viewer = try EditorProcess([Binary.acpbridge, "attach", "--running", "--from", "now"], in: home)
            try viewer.wait(until: "the session is followed") {
                try home.run("prompt", "shop", "hello 3 words no permission").status == .exited(code: 0)
                    && !viewer.outputBytes.isEmpty
            }
            func numbers(of id: String) throws -> [Int64] {
                try wholeLines(of: viewer.outputBytes).map(JSONValue.init(validating:))
                    .filter { $0["session"]?.stringValue == id }.compactMap { $0["seq"]?.int64Value }
            }
            try begin("login", in: home)
            let ids = try ["shop", "login"].map { try id(of: $0, in: home) }
            try viewer.wait(until: "both are printed") { try ids.allSatisfy { try !numbers(of: $0).isEmpty } }

            // The session ends, and another start of its agent continues it.
            _ = try home.run("stop", "shop")
            try eventually("it has ended") { try home.status()["liveSessions"]?.int64Value == 1 }
            let last = try numbers(of: ids[0]).last ?? 0
            #expect(try home.run("run", "--resume", "shop", "--detach", environment: state).status == .exited(code: 0))
            #expect(try home.run("prompt", "shop", "hello 2 words no permission").status == .exited(code: 0))
            try viewer.wait(until: "the continued session is printed") { try (numbers(of: ids[0]).last ?? 0) > last }
            for id in ids {
                let all = try numbers(of: id)
                #expect(all == Array((all.first ?? 0)..<((all.first ?? 0) + Int64(all.count))), "nothing is missing")
            }
            viewer.kill(SIGINT)
            #expect(try viewer.outcome().status == .signaled(signal: SIGINT))
        }
    }

    private func id(of title: String, in home: BridgeHome) throws -> String {
        let rows = try wholeLines(of: home.run("sessions", "--json").output).map(JSONValue.init(validating:))
        return try #require(rows.first { $0["title"]?.stringValue == title }?["sessionId"]?.stringValue)
    }
}
