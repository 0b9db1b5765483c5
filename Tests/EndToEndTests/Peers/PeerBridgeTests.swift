import AgentProcess
import EventLoop
import Glibc
import JSONScan
import Posix
import Testing

/// Two bridges, one of which shows the sessions of the other one.
@Suite(.blocking) struct PeerBridgeTests {
    /// Calls `body` with two homes. The first one's bridge runs.
    private func withTwoBridges(_ body: (_ first: BridgeHome, _ second: BridgeHome) throws -> Void) throws {
        try BridgeHome.with { first in
            _ = try Daemon(first)
            try BridgeHome.with { second in try body(first, second) }
        }
    }

    /// Starts the bridge of `home` with `peer`, and waits until it is connected.
    @discardableResult private func start(_ home: BridgeHome, peer: BridgeHome) throws -> Daemon {
        let daemon = try Daemon(home, ["--no-tcp", "--peer", SystemString("unix:\(peer.socket)")])
        try wait(home, for: "online")
        return daemon
    }

    private func wait(_ home: BridgeHome, for state: String) throws {
        try eventually("the peer is \(state)") {
            try home.status()["peers"]?.elements.first?["state"]?.stringValue == state
        }
    }

    /// The row of the session in the list of the bridge, as soon as there is one that fits.
    private func row(
        _ session: String, in home: BridgeHome, where fits: (JSONValue) -> Bool = { _ in true }
    ) throws -> JSONValue {
        let client = try TinyvexTestClient(home)
        _ = try client.watch("sessions:list")
        var found: JSONValue?
        _ = try client.value { value in
            found = value["data"]?.elements.first { $0["sessionId"]?.stringValue == session && fits($0) }
            return found != nil
        }
        return try #require(found)
    }

    @Test func theSettingsOfAPeersSessionAreChangedAtThePeer() throws {
        try withTwoBridges { first, second in
            let editor = try EditorSession([Binary.demoAgent], in: first)
            try start(second, peer: first)
            let row = try row(editor.sessionId, in: second)
            let bridge = try #require(row["bridge"]?.stringValue)
            let outcome = try second.run("set", SystemString(editor.sessionId), "mode", "code")
            #expect(outcome.status == .exited(code: 1))
            #expect(outcome.errorText.contains("the session is on the bridge '\(bridge)'; change it there"))
        }
    }

    @Test func theLargestNumberIsAnAnswerAndNotTheEndOfTheBridge() throws {
        try withTwoBridges { first, second in
            let editor = try EditorSession([Binary.demoAgent], in: first)
            try editor.prompt("hello 3 chunks pace=0 no permission")
            try start(second, peer: first)
            _ = try row(editor.sessionId, in: second)
            for stream in ["acp:sessionUpdates", "sessions:timeline"] {
                let client = try TinyvexTestClient(second)
                let answer = try client.subscribe(editor.sessionId, after: .max, stream: stream)
                #expect(answer["result"]?["resumed"]?.boolValue == false, "\(answer)")
            }
        }
    }

    /// An earlier fault: the others waited until the bridge gave the peer up, which takes 30 s.
    @Test func theHistoryOfASilentPeerDelaysNoOtherAndIsPrintedWhenItComes() throws {
        try withTwoBridges { first, second in
            let far = try EditorSession([Binary.demoAgent], in: first)
            try far.prompt("hello 3 chunks pace=0 no permission")
            try start(second, peer: first)
            let near = try EditorSession([Binary.demoAgent], in: second)
            try near.prompt("hello 3 chunks pace=0 no permission")
            _ = try row(far.sessionId, in: second)
            let peer = try #require(first.daemon)
            kill(peer, SIGSTOP)
            defer { kill(peer, SIGCONT) }
            let attach = try EditorProcess(
                [Binary.acpbridge, "attach", SystemString(near.sessionId), SystemString(far.sessionId)], in: second)
            // The peer's session is older.
            let line = try #require(try attach.readLine())
            #expect(line.contains(near.sessionId), "\(line)")
            kill(peer, SIGCONT)
            _ = try attach.readLines(until: far.sessionId)
            attach.kill(SIGTERM)
            _ = try attach.outcome()
        }
    }

    @Test func aPeersSessionHasTheSameBytesNumbersAndJournal() throws {
        try withTwoBridges { first, second in
            let editor = try EditorSession([Binary.demoAgent], in: first)
            try editor.prompt("hello 3 chunks pace=0 no permission")
            try first.waitUntilStored()
            try start(second, peer: first)
            let row = try row(editor.sessionId, in: second)
            #expect(row["bridge"]?.stringValue?.isEmpty == false)
            #expect(row["live"]?.boolValue == true && row["unreachableTs"] == nil)

            for stream in ["acp:sessionUpdates", "sessions:timeline"] {
                let clients = [try TinyvexTestClient(first), try TinyvexTestClient(second)]
                let answers = try clients.map { client in
                    try #require(try client.subscribe(editor.sessionId, after: 0, stream: stream)["result"])
                }
                #expect(answers[0].rawString == answers[1].rawString)
                let count = try #require(answers[0]["headSeq"]?.int64Value)
                #expect(count >= editor.updates.count)
                let messages = try clients.map { client in
                    try (0..<count).map { _ in String(decoding: try client.nextMessage(), as: UTF8.self) }
                }
                #expect(messages[0] == messages[1])
            }
            let histories = try [first, second].map {
                try TinyvexTestClient($0).history(of: editor.sessionId).map(\.line)
            }
            #expect(histories[0] == histories[1] && histories[1] == editor.updates)
            try editor.end()
        }
    }

    @Test func aReaderFollowsAPeersSessionAndChangesBetweenBothBridges() throws {
        try withTwoBridges { first, second in
            let editor = try EditorSession([Binary.demoAgent], in: first)
            try editor.prompt("hello 3 chunks pace=0 no permission")
            try first.waitUntilStored()
            try start(second, peer: first)
            let far = try TinyvexTestClient(second)
            let begin = try #require(try far.subscribe(editor.sessionId)["result"])
            let head = try #require(begin["headSeq"]?.int64Value)
            let known = editor.updates.count
            try editor.prompt("hello 3 chunks pace=0 no permission")
            let new = Array(editor.updates.dropFirst(known))
            #expect(try far.updates(new.count) == new)

            // One number less than what was read: the other bridge sends exactly that one again.
            let number = head + Int64(new.count) - 1
            let near = try TinyvexTestClient(first)
            let resumed = try near.subscribe(
                editor.sessionId, after: number, journal: try #require(begin["journal"]?.stringValue))
            #expect(resumed["result"]?["resumed"]?.boolValue == true)
            #expect(try near.nextUpdate() == new.last)
            try editor.end()
            #expect(try far.next("tinyvex/ended")["params"]?["reason"]?.stringValue == "exited")
        }
    }

    @Test func theUsageOfAPeersSessionIsInListsAndSums() throws {
        try withTwoBridges { first, second in
            let cost = #""cost":{"amount":0.5,"currency":"USD"}"#
            let report =
                #"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"first-1","update":"#
                + #"{"sessionUpdate":"usage_update","used":10,"size":100,\#(cost)}}}"#
            let editor = try EditorProcess(
                BridgeHome.bridged(["printf", "%s\n", SystemString(Self.update("first-1")), SystemString(report)]),
                in: first)
            editor.closeInput()
            _ = try editor.outcome()
            try first.waitUntilEnded()
            try start(second, peer: first)
            let row = try row("first-1", in: second)
            #expect(row["usage"]?.rawString == #"{"used":10,"size":100,\#(cost)}"#)
            let bridge = try #require(row["bridge"]?.stringValue)
            let lines = wholeLines(of: try second.run("usage", "--json").output)
            let values = try lines.map(JSONValue.init(validating:))
            #expect(values.count == 2 && values[0]["bridge"]?.stringValue == bridge)
            #expect(values[1]["costs"]?.elements.first?["amount"]?.doubleValue == 0.5)
            #expect(try second.run("usage").outputText.contains("BRIDGE"))
            let days = try TinyvexTestClient(second).query("usage:byDay", #"{"starts":[0]}"#)?["days"]?.elements.first
            let sum = try #require(days?["sums"]?.elements.first)
            #expect(sum["bridge"]?.stringValue == bridge)
            #expect(sum["costs"]?.elements.first?["amount"]?.doubleValue == 0.5)
            #expect(try second.run("usage", "--by", "day").outputText.contains("0.5000 USD"))
        }
    }

    @Test func aTimelineInPagesTakesAboutAsManyBytesOfThePeerAsAWholeOne() throws {
        try BridgeHome.with { first in
            let daemon = try Daemon(first, ["--listen", "127.0.0.1:0"])
            let network = try BadNetwork(to: try #require(daemon.address), [])
            let editor = try EditorSession([Binary.demoAgent], in: first)
            try editor.prompt("hello 2000 chunks pace=0 no permission")
            try first.waitUntilStored()
            try editor.end()
            try BridgeHome.with { second in
                let peer = "ws://127.0.0.1:\(network.port) token-file=\(first.token)"
                _ = try Daemon(second, ["--no-tcp", "--peer", SystemString(peer)])
                try wait(second, for: "online")
                _ = try row(editor.sessionId, in: second)
                let client = try TinyvexTestClient(second)
                /// The bytes that the peer sends for a timeline in pages of this many entries.
                func bytes(inPagesOf page: Int) throws -> Int {
                    let before = network.sentBytes
                    for start in stride(from: 0, to: 2000, by: page) {
                        let (after, end) = (Int64(start), Int64(start + page))
                        let answer = try client.subscribe(
                            editor.sessionId, subId: "s\(after)", after: after, until: end,
                            stream: "sessions:timeline")
                        #expect(answer["result"]?["resumed"]?.boolValue == true)
                        for number in after + 1...end {
                            #expect(try client.next("tinyvex/data")["params"]?["seq"]?.int64Value == number)
                        }
                        _ = try client.call("tinyvex/unsubscribe", #"{"subId":"s\#(after)"}"#)
                    }
                    return network.sentBytes - before
                }
                let whole = try bytes(inPagesOf: 2000)
                let pages = try bytes(inPagesOf: 200)
                #expect(Double(pages) < Double(whole) * 1.5, "\(pages) instead of \(whole) bytes")
            }
        }
    }

    @Test func commandsGoToThePeerThatHasTheSession() throws {
        try withTwoBridges { first, second in
            let editor = try EditorSession([Binary.demoAgent], in: first)
            try editor.prompt("hello 3 chunks pace=0 no permission")
            try start(second, peer: first)
            let far = try TinyvexTestClient(second)
            let session = #""sessionId":"\#(editor.sessionId)""#

            let prompt = #"{\#(session),"text":"hello 3 chunks pace=0 no permission"}"#
            let turn = try far.call(
                "tinyvex/action", #"{"requestId":"p1","name":"sessions:prompt","args":\#(prompt)}"#)
            #expect(turn["result"]?["value"]?["stopReason"]?.stringValue == "end_turn", "\(turn.rawString)")

            let title = try far.mutate("sessions:setTitle", #"{\#(session),"title":"From afar"}"#, requestId: "t1")
            #expect(title["result"]?["value"]?["title"]?.stringValue == "From afar", "\(title.rawString)")
            #expect(try row(editor.sessionId, in: first)["title"]?.stringValue == "From afar")
            _ = try row(editor.sessionId, in: second) { $0["title"]?.stringValue == "From afar" }

            let live = try far.mutate("sessions:delete", "{\(session)}")
            #expect(live.errorCode == "TVX003")
            try editor.end()
            try first.waitUntilEnded()
            let deleted = try far.mutate("sessions:delete", "{\(session)}")
            #expect(deleted["result"]?["value"]?["deleted"]?.boolValue == true, "\(deleted.rawString)")
            #expect(try TinyvexTestClient(first).journals(of: editor.sessionId).isEmpty)
        }
    }

    @Test func aPromptThatWaitsAtAPeerIsShownAndTakenBack() throws {
        try withTwoBridges { first, second in
            let editor = try EditorSession([Binary.demoAgent], in: first)
            // The turn lasts longer than the test.
            try editor.send(prompt: "hello 1000 chunks pace=200 no permission")
            try start(second, peer: first)
            let row = try row(editor.sessionId, in: second) { $0["state"]?.stringValue == "running" }
            let journal = try #require(row["journal"]?.stringValue)
            let session = #""sessionId":"\#(editor.sessionId)","journal":"\#(journal)""#
            // A session of a peer is followed while it has a reader.
            let reader = try TinyvexTestClient(second)
            _ = try reader.subscribe(editor.sessionId, stream: "sessions:timeline")
            let watcher = try TinyvexTestClient(second)
            _ = try watcher.watch("sessions:get", "{\(session)}")
            let sender = try TinyvexTestClient(second)
            let prompt = #"{\#(session),"text":"and the tests?","queue":true}"#
            try sender.send(
                #"{"jsonrpc":"2.0","id":77,"method":"tinyvex/action","params":{"requestId":"q1","#
                    + #""name":"sessions:prompt","args":\#(prompt)}}"#)
            let queue = try watcher.value { $0["queue"]?.elements.isEmpty == false }["queue"]?.elements ?? []
            #expect(queue.count == 1 && queue[0]["text"]?.stringValue == "and the tests?")
            #expect(queue[0]["by"]?.stringValue == "uid \(getuid())" && queue[0]["own"] == nil)

            let outcome = try second.run("cancel", "--queued", SystemString(editor.sessionId))
            #expect(outcome.errorText == "1 prompt discarded\n")
            _ = try watcher.value { $0["queue"]?.elements.isEmpty == true }
        }
    }

    @Test func aPermissionRequestOfAPeerIsListedAndAnswered() throws {
        try withTwoBridges { first, second in
            try start(second, peer: first)
            let far = try TinyvexTestClient(second)
            _ = try far.watch("permissions:pending")
            let editor = try EditorSession([Binary.rudeAgent, "echo", "--id-style", "string"], in: first)
            try editor.send(prompt: "may I?")
            let rows = try far.value { !$0.elements.isEmpty }.elements
            let row = try #require(rows.first)
            #expect(row["bridge"]?.stringValue?.isEmpty == false && row["sessionId"]?.stringValue == "rude-1")
            let lists = try TinyvexTestClient(second)
            _ = try lists.watch("sessions:list", #"{"order":"waiting","limit":1}"#)
            _ = try lists.value { value in
                let first = value["data"]?.elements.first
                return first?["sessionId"]?.stringValue == "rude-1"
                    && first?["waitingTs"]?.int64Value == row["askedTs"]?.int64Value
            }
            let id = try #require(row["requestId"]?.rawString)
            let args = #"{"sessionId":"rude-1","requestId":\#(id),"outcome":{"outcome":"cancelled"}}"#
            let answer = try far.mutate("permissions:answer", args)
            #expect(answer["result"]?["value"]?["answered"]?.boolValue == true, "\(answer.rawString)")
            _ = try far.value { $0.elements.isEmpty }
            _ = try lists.value { $0["data"]?.elements.first.map { $0["waitingTs"] == nil } ?? false }
            try editor.end()
        }
    }

    @Test func aBridgeThatIsItsOwnPeerIsRefusedAndPeersOfPeersAreNotShown() throws {
        try withTwoBridges { first, second in
            let editor = try EditorSession([Binary.demoAgent], in: first)
            try editor.prompt("hello 3 chunks pace=0 no permission")
            try first.waitUntilStored()
            let peers: [SystemString] = [second, first].flatMap {
                ["--peer", SystemString("unix:\($0.socket)")] as [SystemString]
            }
            _ = try Daemon(second, ["--no-tcp"] + peers)
            _ = try row(editor.sessionId, in: second)
            try eventually("the bridge itself is refused") {
                try second.status()["peers"]?.elements.first?["error"]?.stringValue?
                    .contains("it is the same bridge as this one") == true
            }
            try BridgeHome.with { third in
                try start(third, peer: second)
                let own = try EditorProcess(
                    BridgeHome.bridged(["printf", "%s\n", SystemString(Self.update("second-1"))]), in: second)
                own.closeInput()
                _ = try own.outcome()
                _ = try row("second-1", in: third)
                #expect(try TinyvexTestClient(third).journals(of: editor.sessionId).isEmpty)
            }
            try editor.end()
        }
    }

    private static func update(_ session: String) -> String {
        #"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"\#(session)","update":"#
            + #"{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"hello"}}}}"#
    }

    @Test func theTokenFileIsReadAtEachConnectAndThePeerDecidesByItsRole() throws {
        try BridgeHome.with { first in
            let daemon = try Daemon(first, ["--listen", "127.0.0.1:0"])
            let url = try #require(daemon.ready["url"]?.stringValue)
            let token = try TokenTests.create(first, "--role", "observe")
            let editor = try EditorSession([Binary.demoAgent], in: first)
            try editor.prompt("hello 3 chunks pace=0 no permission")
            try BridgeHome.with { second in
                let file = second.path + "/peer.token"
                func write(_ text: String, mode: mode_t) throws {
                    try FileBytes.write(Array(text.utf8), to: file)
                    chmod(file, mode)
                }
                func waitForError(_ text: String) throws {
                    try eventually("the error contains: \(text)") {
                        try second.status()["peers"]?.elements.first?["error"]?.stringValue?.contains(text) == true
                    }
                }
                try write("wrong", mode: 0o600)
                _ = try Daemon(
                    second, ["--no-tcp", "--peer", SystemString(url), "--token-file", SystemString(file)])
                try waitForError("does not accept the token")
                try write(token, mode: 0o644)
                try waitForError("chmod 600")
                chmod(file, 0o600)
                try wait(second, for: "online")
                _ = try row(editor.sessionId, in: second)
                let title = try TinyvexTestClient(second).mutate(
                    "sessions:setTitle", #"{"sessionId":"\#(editor.sessionId)","title":"No"}"#)
                #expect(title.errorCode == "TVX011", "\(title.rawString)")
                #expect(!(try second.run("status", "--json").outputText.contains(token)))
                let log = String(decoding: FileBytes.read(second.daemonOutput) ?? [], as: UTF8.self)
                #expect(!log.contains(token))
            }
            try editor.end()
        }
    }

    /// A bridge that has the session `first-1` with one update.
    private func daemonWithEndedSession(_ home: BridgeHome) throws -> Daemon {
        let daemon = try Daemon(home)
        let editor = try EditorProcess(
            BridgeHome.bridged(["printf", "%s\n", SystemString(Self.update("first-1"))]), in: home)
        editor.closeInput()
        _ = try editor.outcome()
        try home.waitUntilEnded()
        return daemon
    }

    @Test func aKilledPeerIsUnreachableUntilItIsBack() throws {
        try BridgeHome.with { first in
            let daemon = try daemonWithEndedSession(first)
            try BridgeHome.with { second in
                let viewer = try start(second, peer: first)
                _ = try row("first-1", in: second)
                let reader = try TinyvexTestClient(second)
                _ = try reader.subscribe("first-1", after: 0)
                _ = try reader.nextUpdate()
                try daemon.killAtOnce()
                _ = try row("first-1", in: second) { $0["unreachableTs"] != nil }
                let title = try TinyvexTestClient(second).mutate(
                    "sessions:setTitle", #"{"sessionId":"first-1","title":"No"}"#)
                #expect(title["error"]?["message"]?.stringValue?.contains("cannot be reached") == true)
                _ = try Daemon(first)
                _ = try row("first-1", in: second) { $0["unreachableTs"] == nil }
                #expect(try TinyvexTestClient(second).history(of: "first-1").count == 1)
                // One line for the whole outage, and none for each subscription that ended with the connection.
                viewer.process.kill(SIGTERM)
                let log = try viewer.process.outcome().errorText
                #expect(log.split(separator: "\n").count(where: { $0.contains("peer_failed") }) == 1)
                #expect(!log.contains("open requests"))
            }
        }
    }

    @Test func aReaderOfAPeerThatIsDownGetsOneErrorAndContinuesWhenItIsBack() throws {
        try BridgeHome.with { first in
            let daemon = try daemonWithEndedSession(first)
            try BridgeHome.with { second in
                try start(second, peer: first)
                _ = try row("first-1", in: second)
                try daemon.killAtOnce()
                _ = try row("first-1", in: second) { $0["unreachableTs"] != nil }
                let reader = try TinyvexTestClient(second)
                _ = try reader.subscribe("first-1", after: 0)
                let error = try reader.next("tinyvex/error")["params"]?["message"]?.stringValue
                #expect(error?.contains("cannot be reached") == true)
                _ = try Daemon(first)
                #expect(try reader.nextUpdate() == Array(Self.update("first-1").utf8))
            }
        }
    }

    @Test func aPeerIsReachedOverTLSAndAgainAfterBothBridgesWereReplaced() throws {
        try BridgeHome.with { first in
            let files = try CertificateOnDisk(first)
            let daemon = try Daemon(
                first,
                [
                    "--listen", "127.0.0.1:0", "--tls-cert", SystemString(files.certificate), "--tls-key",
                    SystemString(files.key),
                ])
            let port = try #require(daemon.ready["url"]?.stringValue?.split(separator: ":").last)
            let editor = try EditorSession([Binary.demoAgent], in: first)
            try editor.prompt("hello 3 chunks pace=0 no permission")
            try BridgeHome.with { second in
                let peer = "wss://localhost:\(port) token-file=\(first.token) ca-file=\(files.certificate) name=far"
                _ = try Daemon(second, ["--no-tcp", "--peer", SystemString(peer)])
                try wait(second, for: "online")
                #expect(try row(editor.sessionId, in: second)["bridge"]?.stringValue == "far")
                for home in [second, first] {
                    let outcome = try home.run("serve", "--replace")
                    #expect(outcome.status == .exited(code: 0), "\(outcome.errorText)")
                }
                _ = try row(editor.sessionId, in: second) {
                    $0["unreachableTs"] == nil && $0["live"]?.boolValue == true
                }
                let known = editor.updates.count
                let far = try TinyvexTestClient(second)
                _ = try far.subscribe(editor.sessionId)
                try editor.prompt("hello 3 chunks pace=0 no permission")
                let new = Array(editor.updates.dropFirst(known))
                #expect(try far.updates(new.count) == new)
            }
            try editor.end()
        }
    }
}
