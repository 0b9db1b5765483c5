import AgentProcess
import Glibc
import JSONScan
import Testing

/// The disk of the log is full or read-only: editors continue, clients get a warning, and no update is lost once the
/// disk recovers.
@Suite(.blocking) struct DiskTests {
    private static let mayMount: Bool = {
        let probe = try? BridgeHome.with { home in
            try EditorProcess(["unshare", "-Urm", "true"], in: home).outcome().status == .exited(code: 0)
        }
        return probe == true
    }()

    @Test(.enabled(if: mayMount, "this system does not allow mounts in a user namespace"))
    func everyUpdateIsStoredAfterAFullDiskRecovers() throws {
        try BridgeHome.with { home in
            mkdir(home.path + "/state", 0o700)
            let mount = #"mount -t tmpfs -o size=600k,mode=700 tmpfs "$ACPBRIDGE_HOME/state" && exec "$@""#
            let daemon = try Daemon(home, under: ["unshare", "-Urm", "sh", "-c", SystemString(mount), "serve"])
            let editor = try EditorSession(BridgeHome.flood(4000, size: 500), in: home)
            try editor.prompt("go")
            #expect(editor.updates.count == 4000, "the editor gets every update at once")
            try eventually("the bridge reports the disk error") {
                try home.status()["logError"]?.stringValue?.contains("full") == true
            }
            let begin = processorSeconds(of: daemon.process.pid)
            poll(nil, 0, 1000)
            #expect(processorSeconds(of: daemon.process.pid) - begin < 0.5, "the bridge waits without spinning")
            let stored = wholeLines(of: try home.shell("acpbridge attach rude-1 --no-follow").output)
            expectSame(stored, editor.updates.prefix(stored.count))

            let room = try EditorProcess(
                [
                    "nsenter", "-t", SystemString("\(daemon.process.pid)"), "-U", "-m", "--preserve-credentials",
                    "mount",
                    "-o", "remount,size=60m", SystemString(home.path + "/state"),
                ], in: home)
            #expect(try room.outcome().status == .exited(code: 0))
            try eventually("all updates are stored") { try home.stored("rude-1").count == 4000 }
            expectSame(try home.stored("rude-1"), editor.updates)
            try eventually("syncs succeed again") { try home.status()["logError"] == nil }
            try editor.end()
        }
    }

    /// The log file of the daemon cannot hold the reason.
    @Test(.enabled(if: mayMount, "this system does not allow mounts in a user namespace"))
    func aBridgeThatDoesNotStartOnAFullDiskReportsTheReason() throws {
        try BridgeHome.with { home in
            mkdir(home.path + "/state", 0o700)
            let script = #"""
                mount -t tmpfs -o size=100k,mode=700 tmpfs "$ACPBRIDGE_HOME/state"
                dd if=/dev/zero of="$ACPBRIDGE_HOME/state/large" bs=4k 2>/dev/null
                exec "$@"
                """#
            let outcome = try EditorProcess(
                ["unshare", "-Urm"] + shell(script, Binary.acpbridge, "sessions"), in: home
            ).outcome()
            #expect(outcome.status == .exited(code: 1))
            #expect(outcome.errorText.contains("The disk that holds the session log is full"), "\(outcome.errorText)")
            #expect(outcome.errorText.contains("The disk of \(home.path)/state is full; free some space there"))
        }
    }

    @Test(arguments: [EROFS, EIO, ENOSPC])
    func everyUpdateIsStoredAfterFailingWritesRecover(error: Int32) throws {
        try BridgeHome.with { home in
            let faults = try Faults(home)
            _ = try faults.daemon()
            let editor = try EditorSession(BridgeHome.flood(2000), in: home)
            let client = try TinyvexTestClient(home)
            _ = try client.subscribe("rude-1", after: 0)
            try faults.set(writeError: error)
            try editor.prompt("go")
            #expect(editor.updates.count == 2000)
            try eventually("the bridge reports the disk error") { try home.status()["logError"]?.stringValue != nil }
            func readiness() throws -> Int {
                try RawConnection(.unix(path: home.socket)).response(to: RawConnection.head("/readyz")).status
            }
            #expect(try readiness() == 503)
            #expect(try client.next("tinyvex/error")["params"]?["code"]?.stringValue == "-32603")
            try faults.set()
            expectSame(try client.updates(2000), editor.updates)
            try eventually("the next sync has succeeded") { try readiness() == 200 }
            expectSame(try home.stored("rude-1"), editor.updates)
            try editor.end()
        }
    }

    @Test func whatAFailedSyncHasLostIsWrittenAgain() throws {
        try BridgeHome.with { home in
            let faults = try Faults(home)
            _ = try faults.daemon()
            let editor = try EditorSession(BridgeHome.flood(20), in: home)
            try editor.prompt("go")
            // If the beginning of a session cannot be synced, nothing of it is stored.
            try home.waitUntilStored()
            try faults.set(syncError: EIO)
            try eventually("a sync of the spool has failed") {
                try editor.prompt("go")
                return faults.failedFiles.contains("sessions.db-spool")
            }
            try eventually("a sync of the WAL has failed") {
                try editor.prompt("go")
                // Reading moves the updates from the spool to the WAL.
                expectSame(try home.stored("rude-1"), editor.updates)
                return faults.failedFiles.contains("sessions.db-wal")
            }
            #expect(try home.status()["logError"]?.stringValue?.contains("sync") == true)
            try faults.set()
            try eventually("the WAL is written again") {
                try editor.prompt("go")
                return faults.keptFiles.contains("sessions.db-wal")
            }
            #expect(faults.lostFiles == "")
            expectSame(try home.stored("rude-1"), editor.updates)
            try eventually("syncs succeed again") { try home.status()["logError"] == nil }
            try editor.end()
        }
    }

    /// Each claim of a session is put on disk before it is answered, and is repeated until that succeeds.
    @Test func aSessionThatCannotBeSyncedIsNotStoredAgainWithEachAttempt() throws {
        try BridgeHome.with { home in
            let faults = try Faults(home)
            _ = try faults.daemon()
            try faults.set(syncError: EIO)
            let editor = try EditorSession(BridgeHome.flood(20), in: home)
            try editor.prompt("go")
            for _ in 0..<4 {
                let before = faults.failedFiles.utf8.count
                try eventually("the bridge has tried again") { faults.failedFiles.utf8.count > before }
            }
            try faults.set()
            try eventually("the session is stored") { try home.status()["logError"] == nil }
            expectSame(try home.stored(editor.sessionId), editor.updates)
            let list = try TinyvexTestClient(home).call("tinyvex/history.recentSessions")["result"]?.elements ?? []
            #expect(list.count <= 2, "only the first attempt leaves an incarnation: \(list.count)")
            try editor.end()
        }
    }

    /// A session that the log could not store yet has no journal.
    @Test func aRequestIsAnsweredWhileTheLogCannotBeWritten() throws {
        try BridgeHome.with { home in
            let faults = try Faults(home)
            _ = try faults.daemon()
            try faults.set(writeError: ENOSPC)
            let editor = try EditorSession(
                [Binary.demoAgent], in: home, capabilities: #"{"elicitation":{"url":{}}}"#)
            let asking = [
                "ask url quiet pace=0": "elicitation/create", "hello 3 chunks pace=0": "session/request_permission",
            ]
            for (prompt, method) in asking {
                try editor.send(prompt: prompt)
                try editor.process.readLines(until: method)
                let request = try home.run("answer", "--json").outputText
                #expect(request.contains(#""journal":"""#))
                let answer = try home.run("answer", "latest", "--cancel")
                #expect(answer.status == .exited(code: 0), "\(answer.errorText)")
                try editor.waitForAnswer()
            }
            let link = try TinyvexTestClient(home).call(
                "tinyvex/action",
                #"{"requestId":"1","name":"sessions:share","args":{"sessionId":"\#(editor.sessionId)"}}"#)
            #expect(link.errorCode == "TVX003", "a link names an incarnation, and this one has no name")
            try faults.set()
            try editor.end()
        }
    }

    @Test func aDeletionWaitsUntilTheEndOfTheSessionIsStored() throws {
        try BridgeHome.with { home in
            let faults = try Faults(home)
            _ = try faults.daemon()
            let editor = try EditorSession(BridgeHome.flood(500), in: home)
            try faults.set(writeDelayMilliseconds: 200)
            try editor.prompt("go")
            try editor.end()
            let outcome = try home.run("delete", SystemString(editor.sessionId), "--yes")
            #expect(outcome.status == .exited(code: 0), "\(outcome.errorText)")
            try faults.set()
            #expect(try home.run("sessions", "--all", "--json").output.isEmpty)
        }
    }

    private func rows(_ home: BridgeHome) throws -> [JSONValue] {
        try wholeLines(of: home.run("sessions", "--all", "--json").output).map(JSONValue.init(validating:))
    }

    /// An earlier fault: the lists did not have such a session, so no command found it.
    @Test func aSessionThatCannotBeStoredIsListedAndStopped() throws {
        try BridgeHome.with { home in
            let faults = try Faults(home)
            _ = try faults.daemon()
            try faults.set(writeError: ENOSPC)
            let outcome = try home.run("run", "--agent", "demo", "--detach", "hello 3 words no permission")
            #expect(outcome.status == .exited(code: 0), "\(outcome.errorText)")
            let id = SystemString(String(outcome.outputText.dropLast()))
            let row = try #require(rows(home).first)
            #expect(row["sessionId"]?.stringValue == id.description && row["journal"]?.stringValue == "")
            #expect(row["live"]?.boolValue == true && row["title"]?.stringValue == "hello 3 words no permission")
            for command in ["attach", "export", "set"] as [SystemString] {
                let error = try home.run(command, id).errorText
                #expect(error.contains("could not store the session \"\(id)\" yet: "), "\(error)")
            }
            let client = try TinyvexTestClient(home)
            _ = try client.watch("sessions:list")
            let list = try client.value { _ in true }
            #expect(list["total"]?.int64Value == 1 && list["data"]?.elements.count == 1)
            let stopped = try home.run("stop", id)
            #expect(stopped.status == .exited(code: 0) && stopped.errorText.contains("not stored yet"))
            #expect(try home.run("status").outputText.contains("0 running, 0 live sessions; 1 ended, not yet stored"))
            #expect(try rows(home).map { $0["state"]?.stringValue } == ["ended"])
            try faults.set()
            try eventually("the session is stored") { try rows(home).first?["journal"]?.stringValue != "" }
            #expect(try rows(home).map { $0["state"]?.stringValue } == ["ended"])
            _ = try client.value { $0["data"]?.elements.first?["end"] != nil && $0["data"]?.elements.count == 1 }
            let timeline = try home.run("attach", id, "--all", "--no-follow").outputText
            #expect(timeline.contains(#""kind":"prompt""#) && timeline.contains(#""kind":"agent_exit""#))
        }
    }

    /// Earlier faults: `prompt` and `stop` waited for the log, and the lists had the session as a running one.
    @Test func commandsEndAlthoughTheLogCannotBeWritten() throws {
        try BridgeHome.with { home in
            let faults = try Faults(home)
            _ = try faults.daemon()
            let state: [SystemString] = [SystemString("ACP_DEMO_STATE=\(home.path)/demo")]
            let first = try home.run("run", "--agent", "demo", "--detach", environment: state)
            let id = SystemString(String(first.outputText.dropLast()))
            try faults.set(writeError: ENOSPC)
            let prompt = try home.run("prompt", id, "hello 3 words no permission")
            #expect(prompt.status == .exited(code: 1), "\(prompt.errorText)")
            #expect(prompt.errorText.contains("the turn has ended, but its output is incomplete"))
            let stopped = try home.run("stop", id)
            #expect(stopped.status == .exited(code: 0) && stopped.errorText.contains("not stored yet"))
            #expect(try rows(home).map { $0["state"]?.stringValue } == ["ended"])
            let resumed = try home.run("run", "--resume", id, "--detach", environment: state)
            #expect(resumed.status == .exited(code: 0), "\(resumed.errorText)")
            let second = try home.run("run", "--resume", id, "--detach", environment: state)
            #expect(second.errorText.contains("--take` continues it"))
            try faults.set()
            func kinds() throws -> [String] {
                try wholeLines(of: home.run("attach", id, "--all", "--no-follow").output)
                    .compactMap { try JSONValue(validating: $0)["kind"]?.stringValue }.filter { $0 != "update" }
            }
            try eventually("everything is stored, once and in order") {
                try kinds() == ["agent_start", "prompt", "turn_end", "agent_exit", "agent_start"]
            }
            #expect(try rows(home).map { $0["state"]?.stringValue } == ["idle"])
        }
    }

    @Test func twoSessionsOfOneIdThatCannotBeStoredAreToldApartFromOthers() throws {
        try BridgeHome.with { home in
            let faults = try Faults(home)
            try home.addAgent("same", [Binary.demoAgent, "--seed", "7"])
            _ = try faults.daemon()
            try faults.set(writeError: ENOSPC)
            for _ in 0..<2 {
                let outcome = try home.run("run", "--agent", "same", "--detach")
                #expect(outcome.outputText == "demo-7-1\n", "\(outcome.errorText)")
            }
            let error = try home.run("attach", "demo-7-1").errorText
            #expect(error.contains("matches 2 sessions") && error.contains("(not stored yet)"), "\(error)")
            let cancel = try TinyvexTestClient(home).call(
                "tinyvex/action", #"{"requestId":"1","name":"sessions:cancel","args":{"sessionId":"demo-7-1"}}"#)
            #expect(cancel.errorCode == "TVX009" && cancel["error"]?["data"]?["candidates"]?.elements.isEmpty != false)
            try faults.set()
            try eventually("both are stored") { try Set(rows(home).map { $0["journal"]?.stringValue }).count == 2 }
        }
    }

    /// An earlier fault: after the recovery, the client got the whole history.
    @Test func aClientThatResumesWhileTheLogFailsGetsOnlyNewUpdates() throws {
        try BridgeHome.with { home in
            let faults = try Faults(home)
            let state = SystemString("ACP_DEMO_STATE=\(home.path)/demo")
            // The client speaks version 1 of ACP.
            try home.addAgent("kept", ["/usr/bin/env", state, Binary.demoAgent, "--v1"])
            _ = try faults.daemon()
            #expect(try home.run("run", "--agent", "kept", "/echo old").status == .exited(code: 0))
            let session = try #require(rows(home).first?["sessionId"]?.stringValue)
            try faults.set(writeError: ENOSPC)
            let client = try RemoteTestClient(home, path: "/acp?agent=kept")
            try client.initialize()
            let params = #"{"sessionId":"\#(session)","cwd":"\#(home.path)","mcpServers":[]}"#
            #expect(try client.wire.call("session/resume", params)["result"] != nil)
            try eventually("the log has failed") { try home.status()["logError"] != nil }
            try faults.set()
            try client.ask("p", "session/prompt", RemoteTestClient.prompt(session, "/echo new"))
            var texts: [String] = []
            while texts.last?.contains("new") != true {
                texts.append(try client.wire.next("session/update").rawString)
            }
            #expect(!texts.contains { $0.contains("old") }, "\(texts)")
        }
    }

    /// Each write takes a fifth of a second, and each page of the log is one write. An update is shown only after it is
    /// stored, so readers get it later. Editors and clients with other requests do not wait.
    @Test func aSlowDiskDelaysOnlyReaders() throws {
        try BridgeHome.with { home in
            let faults = try Faults(home)
            _ = try faults.daemon()
            let editor = try EditorSession(BridgeHome.flood(2000), in: home)
            symlink(Binary.rudeAgent.description, home.path + "/other")
            let other = try EditorSession([SystemString(home.path + "/other"), "echo"], in: home)
            let reader = try TinyvexTestClient(home)
            _ = try reader.subscribe("rude-1", params: #","agent":"rude-agent""#)
            let client = try TinyvexTestClient(home)
            try faults.set(writeDelayMilliseconds: 200)
            let turn = try editor.promptMeanwhile("go")
            for _ in 0..<10 {
                try other.prompt("go")
                #expect(try client.call("tinyvex/ping")["result"] != nil)
            }
            try turn.wait()
            #expect(editor.updates.count == 2000)
            #expect(
                try client.status()?["unstoredBytes"]?.int64Value ?? 0 > 100_000, "the editor did not wait for the disk"
            )
            try faults.set()
            expectSame(try reader.updates(2000), editor.updates)
            expectSame(
                try client.history(of: "rude-1", params: #","agent":"rude-agent""#).map(\.line), editor.updates)
            try editor.end()
            try other.end()
        }
    }

    @Test func theErrorNamesAnUnusableStateFolder() throws {
        try BridgeHome.with { home in
            try FileBytes.write([], to: home.path + "/state")
            let outcome = try home.run("serve", "--no-tcp")
            #expect(outcome.status == .exited(code: 1))
            #expect(outcome.errorText.contains("\(home.path)/state"))
        }
    }
}

/// The machine's clock is set forward and back, by a year or a lifetime.
@Suite(.blocking) struct ClockTests {
    @Test func clockJumpsChangeNeitherOrderNorNumbers() throws {
        try BridgeHome.with { home in
            let faults = try Faults(home)
            _ = try faults.daemon()
            let editor = try EditorSession(BridgeHome.flood(50), in: home)
            let client = try TinyvexTestClient(home)
            _ = try client.subscribe("rude-1", after: 0)
            let year = 365 * 86_400
            for offset in [year, -60 * year, -86_400, 400 * year, 0] {
                try faults.set(clockOffsetSeconds: offset)
                try editor.prompt("go")
                #expect(try home.run("sessions").status == .exited(code: 0))
            }
            expectSame(try client.updates(250), editor.updates)
            #expect(try client.history(of: "rude-1").map(\.seq) == Array(1...250))
            let text = try home.run("attach", "rude-1", "--all", "--no-follow").outputText
            #expect(text.split(separator: "\n").count > 250)
            try editor.end()
        }
    }
}
