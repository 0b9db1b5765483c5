import AgentProcess
import EventLoop
import Glibc
import HTTP1
import JSONScan
import Posix
import TestSupport
import Testing
import WebSocket

/// Each configurable limit, and the error when it is exceeded.
@Suite(.blocking) struct LimitTests {
    /// Calls `body` with a bridge that has this limit, and a token with the role `observe`.
    private func with(
        _ limit: SystemString, _ body: (BridgeHome, SocketAddress, String) throws -> Void
    ) throws {
        try BridgeHome.with { home in
            let address = try TokenTests.serve(home, "--limit", limit)
            try body(home, address, try TokenTests.create(home, "--role", "observe"))
        }
    }

    @Test func requestsOverTheRateLimitAreRefused() throws {
        try with("requests-per-minute=5") { home, address, token in
            let client = HTTPClient(address, token: token)
            for _ in 0..<5 { #expect(try client.get("/v1/agents").status == 200) }
            let refused = try client.get("/v1/agents")
            #expect(refused.status == 429)
            #expect(refused.headers.first("Retry-After").flatMap { Int($0) }.map { (1...12).contains($0) } == true)
            #expect(try refused.json()["error"]?.stringValue?.contains("too many requests") == true)
            #expect(try HTTPClient(address).get("/healthz").status == 200)
            _ = try TinyvexTestClient(address, token: token)
            let guess = Result { try TinyvexTestClient(address, token: "guess") }
            #expect(throws: TinyvexTestClient.Refused.self) { try guess.get() }
            #expect(
                try HTTPClient(.unix(path: home.socket)).get("/v1/agents").status == 200,
                "the limit does not apply to the user's own socket")
        }
    }

    @Test func connectionsOverTheTotalLimitAreClosedWithoutAResponse() throws {
        try with("connections=3") { home, address, token in
            let kept = [try TinyvexTestClient(address, token: token), try TinyvexTestClient(home)]
            let idle = try RawConnection(address)
            try eventually("the bridge closes a new connection") {
                (try? RawConnection(address).readToEnd())?.isEmpty == true
            }
            withExtendedLifetime((kept, idle)) {}
        }
    }

    @Test func connectionsOverTheLimitPerAddressGetAnError() throws {
        try with("connections-per-address=2") { home, address, token in
            let kept = [try TinyvexTestClient(address, token: token), try TinyvexTestClient(address, token: token)]
            let answer = String(decoding: try RawConnection(address).readToEnd(), as: UTF8.self)
            #expect(answer.hasPrefix("HTTP/1.1 429 ") && answer.contains("\r\nRetry-After: "))
            _ = try TinyvexTestClient(home)
            withExtendedLifetime(kept) {}
        }
    }

    @Test func aClosedConnectionNoLongerCounts() throws {
        try with("connections-per-address=1") { _, address, token in
            for _ in 0..<5 {
                try eventually("the bridge accepts a connection") {
                    (try? TinyvexTestClient(address, token: token)) != nil
                }
            }
        }
    }

    @Test func subscriptionsOverTheLimitAreRefused() throws {
        try with("subscriptions=1") { _, address, token in
            let client = try TinyvexTestClient(address, token: token)
            let request = #"{"subId":"ID","name":"bridge:status"}"#
            #expect(try client.call("tinyvex/subscribe", request.replacing("ID", with: "a"))["result"] != nil)
            #expect(try client.call("tinyvex/subscribe", request.replacing("ID", with: "b")).errorCode == "TVX012")
            #expect(try client.call("tinyvex/unsubscribe", #"{"subId":"a"}"#)["result"] != nil)
            #expect(try client.call("tinyvex/subscribe", request.replacing("ID", with: "b"))["result"] != nil)
        }
    }

    /// Each timeline is sent every update of the session, so sixteen on one connection are enough.
    @Test func aSeventeenthStreamOfOneSessionOnOneConnectionIsRefused() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let editor = try EditorSession([Binary.rudeAgent, "echo"], in: home)
            let client = try TinyvexTestClient(home)
            func subscribe(_ subId: String) throws -> JSONValue {
                try client.subscribe(editor.sessionId, subId: subId, stream: "sessions:timeline")
            }
            #expect(try client.subscribe(editor.sessionId, subId: "updates")["result"] != nil)
            for number in 1..<16 { #expect(try subscribe("\(number)")["result"] != nil) }
            let refused = try subscribe("16")
            #expect(refused.errorCode == "TVX012" && refused["error"]?["data"]?["subId"]?.stringValue == "16")
            #expect(try client.call("tinyvex/unsubscribe", #"{"subId":"7"}"#)["result"] != nil)
            #expect(try subscribe("16")["result"] != nil)
            let other = try TinyvexTestClient(home)
            #expect(try other.subscribe(editor.sessionId, stream: "sessions:timeline")["result"] != nil)
            try editor.end()
        }
    }

    @Test func aMessageOverTheLimitClosesTheConnection() throws {
        try with("message=2KiB") { _, address, token in
            let client = try TinyvexTestClient(address, token: token)
            try client.send(
                #"{"jsonrpc":"2.0","id":1,"method":"tinyvex/ping","params":{"t":"PAD"}}"#
                    .replacing("PAD", with: String(repeating: "x", count: 2048)))
            try client.waitForEnd()
            #expect(client.closeCode == .messageTooBig)
        }
    }

    @Test func headersOverTheLimitAreRefused() throws {
        try with("header=1KiB") { _, address, _ in
            let response = try HTTPClient(address).get("/healthz", ["X: \(String(repeating: "x", count: 1024))"])
            #expect(response.status == 431)
        }
    }

    @Test func bodiesOverTheLimitAreRefused() throws {
        try with("body=1KiB") { _, address, token in
            let client = HTTPClient(address, token: token)
            for (size, status) in [(1025, 413), (1024, 400)] {
                let body = String(repeating: " ", count: size)
                let response = try client.post("/api/query", body)
                #expect(response.status == status)
            }
        }
    }

    /// 128 MiB for the clients of one address.
    @Test func unfinishedBodiesAreLimitedTogether() throws {
        try BridgeHome.with { home in
            // A loaded machine needs long for all bodies.
            let address = try TokenTests.serve(home, "--limit", "body=16MiB", "--limit", "admission=120s")
            let token = try TokenTests.create(home, "--role", "observe")
            let body = [UInt8](repeating: 0x20, count: 15 << 20)
            let head = RawConnection.head(
                "/api/query", method: "POST", ["Authorization: Bearer \(token)", "Content-Length: \(16 << 20)"])
            let connections = try (0..<9).map { _ in
                let connection = try RawConnection(address)
                try connection.send(Array(head.utf8))
                try? connection.send(body)
                return connection
            }
            try eventually("one body is refused") { connections.contains { $0.waitingBytes > 0 } }
            let refused = connections.filter { $0.waitingBytes > 0 }
            #expect(refused.count == 1)
            let answer = try refused.first.map { String(decoding: try $0.readToEnd(), as: UTF8.self) }
            #expect(answer?.hasPrefix("HTTP/1.1 503 ") == true)
            #expect(try HTTPClient(address, token: token).get("/v1/agents").status == 200)
        }
    }

    /// A session with an update of 20 MB, and the head of a request for it.
    private func sessionWithLongUpdate(_ home: BridgeHome, _ token: String) throws -> (EditorSession, String) {
        let editor = try EditorSession([Binary.rudeAgent, "big-line", "20000000", "--on", "prompt"], in: home)
        try editor.prompt("go")
        let before = try #require(try home.stored(editor.sessionId).firstIndex { $0.count == 20_000_000 })
        let path = "/v1/sessions/\(editor.sessionId)/updates?cursor=\(before)"
        return (editor, RawConnection.head(path, ["Authorization: Bearer \(token)", "Connection: close"]))
    }

    @Test func unreadAnswersAreLimitedTogether() throws {
        try with("requests-per-minute=600") { home, address, token in
            let (editor, head) = try sessionWithLongUpdate(home, token)
            let connections = try (0..<8).map { _ in
                let connection = try RawConnection(address)
                try connection.send(Array(head.utf8))
                try connection.waitUntilBridgeRests()
                return connection
            }
            let statuses = try connections.map { String(decoding: try $0.readToEnd().prefix(12), as: UTF8.self) }
            #expect(statuses.contains("HTTP/1.1 503") && statuses.contains("HTTP/1.1 200"), "\(statuses)")
            #expect(try HTTPClient(address, token: token).get("/v1/agents").status == 200)
            try editor.end()
        }
    }

    /// The timer that ends a reader without progress kept the whole answer for 30 s.
    @Test(.enabled(if: Sanitizer.current == nil, "a sanitizer keeps freed memory"))
    func theAnswerOfAClosedConnectionIsFreedAtOnce() throws {
        try with("requests-per-minute=600") { home, address, token in
            let (editor, head) = try sessionWithLongUpdate(home, token)
            let client = try TinyvexTestClient(home)
            let bytes = try client.residentBytes()
            for _ in 0..<5 {
                let connection = try RawConnection(address)
                try connection.send(Array(head.utf8))
                try connection.waitUntilBridgeRests()
            }
            try eventually("the answers are freed", within: .seconds(15)) {
                try client.residentBytes() < bytes + 50_000_000
            }
            try editor.end()
        }
    }

    @Test func aRequestThatIsNotCompletedInTimeIsRefused() throws {
        try with("admission=300ms") { _, address, _ in
            let silent = try RawConnection(address)
            let half = try RawConnection(address)
            try half.send(Array("GET /healthz HTTP/1.1\r\nHost: ".utf8))
            for connection in [silent, half] {
                #expect(String(decoding: try connection.readToEnd(), as: UTF8.self).hasPrefix("HTTP/1.1 408 "))
            }
        }
    }

    /// A client that has not started TLS cannot receive an error message.
    @Test func aConnectionThatDoesNotStartTLSInTimeIsClosed() throws {
        try BridgeHome.with { home in
            let (certificate, key) = (home.path + "/cert.pem", home.path + "/key.pem")
            try FileBytes.write(TestCertificate.certificate.utf8, to: certificate)
            try FileBytes.write(TestCertificate.key.utf8, to: key)
            let address = try TokenTests.serve(
                home, "--limit", "admission=300ms", "--tls-cert", SystemString(certificate), "--tls-key",
                SystemString(key))
            let begin = Instant.now
            #expect(try RawConnection(address).readToEnd().isEmpty)
            #expect(Instant.now - begin < .seconds(10))
        }
    }

    @Test func agentsOverTheLimitAreRefused() throws {
        try with("agents=1") { home, _, _ in
            let editor = try EditorSession([Binary.rudeAgent, "echo"], in: home)
            let second = try home.run("--", Binary.rudeAgent, "echo")
            #expect(second.status != .exited(code: 0))
            #expect(second.errorText.contains("1 agents, which is the limit"), "\(second.errorText)")
            try editor.end()
        }
    }

    @Test func aBridgeWithoutAgentsStartsNone() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home, ["--no-tcp", "--no-agents"])
            let editor = try home.run("--", Binary.rudeAgent, "echo")
            #expect(editor.status == .exited(code: 126))
            #expect(editor.errorText.contains("without --no-agents"), "\(editor.errorText)")
            let run = try home.run("run", "--agent", "demo", "hello")
            #expect(run.status != .exited(code: 0))
            #expect(run.errorText.contains("--no-agents"), "\(run.errorText)")
        }
    }

    @Test func agentsOfRemoteClientsOverTheLimitAreRefused() throws {
        try with("agents=1") { home, address, _ in
            try home.addAgent("rude", rude("echo"))
            let token = try TokenTests.create(home, "--role", "control")
            let first = try RemoteTestClient(address, path: "/tinyvex?agent=rude", token: token)
            #expect(try first.initialize()["result"] != nil)
            for path in ["/tinyvex?agent=rude", "/acp?agent=rude"] {
                let second = try RemoteTestClient(address, path: path, token: token)
                #expect(try second.initialize().errorCode == "TVX012", "\(path)")
            }
            first.wire.closeNow()
            try eventually("the bridge starts another agent") {
                try RemoteTestClient(address, path: "/acp?agent=rude", token: token).initialize()["result"] != nil
            }
        }
    }

    /// On `/acp` a message is a line.
    @Test func aClientsLineOverTheLimitClosesTheConnection() throws {
        try with("line=1KiB") { _, address, token in
            let client = try RemoteTestClient(address, path: "/acp?agent=none", token: token)
            #expect(
                try client.wire.call("initialize", #"{"a":"\#(String(repeating: "x", count: 500))"}"#)["error"] != nil)
            try client.wire.send(String(repeating: "x", count: 1025))
            try client.wire.waitForEnd()
            #expect(client.wire.closeCode == .messageTooBig)
        }
    }

    @Test func anAgentsLineOverTheLimitIsForwardedButNotPublished() throws {
        try with("line=1KiB") { home, _, _ in
            let agent: [SystemString] = [Binary.rudeAgent, "big-line", "2000", "echo"]
            let editor = try EditorProcess(BridgeHome.bridged(agent), in: home)
            #expect(try #require(try editor.readLineBytes()).count == 2000, "the editor receives the line")
            try eventually("the line is counted") { try home.status()["unpublishedLines"]?.int64Value == 1 }
            editor.closeInput()
            _ = try editor.outcome()
            let client = try TinyvexTestClient(home)
            try eventually("the other line is stored") { try !client.history(of: "rude-1").isEmpty }
            let stored = try client.history(of: "rude-1").map(\.line.count)
            #expect(stored.count == 1)
            #expect(stored.allSatisfy { $0 < 1024 })
        }
    }

    @Test func sessionsOverTheLimitAreForwardedButNotListed() throws {
        try with("sessions=1") { home, _, _ in
            let editor = try EditorSession([Binary.rudeAgent, "echo"], in: home)
            try editor.prompt("first")
            let before = editor.updates.count
            try editor.ask("session/new", #"{"cwd":"/","mcpServers":[]}"#)
            try editor.ask("session/prompt", #"{"sessionId":"rude-2","prompt":[{"type":"text","text":"second"}]}"#)
            #expect(editor.updates.count > before, "the editor receives the updates")
            let rows = try TinyvexTestClient(home).call("tinyvex/history.recentSessions")["result"]?.elements
            #expect(rows?.map { $0["sessionId"]?.stringValue } == ["rude-1"])
            try editor.end()
        }
    }

    /// A slow disk: the bridge stops reading from the agent until there is room, and nothing is lost.
    @Test func aSlowDiskPausesTheAgentAndLosesNothing() throws {
        try BridgeHome.with { home in
            let faults = try Faults(home)
            _ = try faults.daemon(["--no-tcp", "--limit", "unstored=64KiB"])
            let editor = try EditorSession(BridgeHome.flood(4000, size: 500), in: home)
            try faults.set(writeDelayMilliseconds: 20)
            let turn = try editor.promptMeanwhile("go")
            var mostBytes: Int64 = 0
            try eventually("the limit is reached") {
                mostBytes = max(mostBytes, try home.status()["unstoredBytes"]?.int64Value ?? 0)
                return mostBytes > 64 << 10
            }
            for _ in 0..<20 { mostBytes = max(mostBytes, try home.status()["unstoredBytes"]?.int64Value ?? 0) }
            #expect(mostBytes <= (64 + 128) << 10, "one read can exceed the limit by its own size")
            try faults.set()
            try turn.wait()
            try eventually("all updates are stored") { try home.stored("rude-1").count == 4000 }
            expectSame(try home.stored("rude-1"), editor.updates)
            try editor.end()
        }
    }

    /// A disk that rejects all writes: the editor continues, and the bridge drops and counts the updates that do not
    /// fit.
    @Test func aFullDiskDropsUpdatesAndTheEditorContinues() throws {
        try BridgeHome.with { home in
            let faults = try Faults(home)
            _ = try faults.daemon(["--no-tcp", "--limit", "unstored=64KiB"])
            let editor = try EditorSession(BridgeHome.flood(1500, size: 500), in: home)
            try faults.set(writeError: ENOSPC)
            try editor.prompt("go")
            #expect(editor.updates.count == 1500)
            try eventually("the dropped lines are counted") {
                try home.status()["unstoredLines"]?.int64Value ?? 0 > 500
            }
            try faults.set()
            try editor.prompt("again")
            let last = Array(editor.updates.suffix(1000))
            try eventually("new updates are stored") { try home.stored("rude-1").suffix(1000).elementsEqual(last) }
            try editor.end()
        }
    }

    @Test func theAuditLogIsRotatedAtItsLimit() throws {
        try with("audit=1KiB") { home, address, token in
            for _ in 0..<30 {
                // Wait for an answer, so that the line is written and the file is not being renamed.
                #expect(try TinyvexTestClient(address, token: token).call("tinyvex/ping")["result"] != nil)
            }
            for name in ["audit.log", "audit.log.1"] {
                var bytes: [UInt8] = []
                try eventually("\(name) exists; rotation can briefly remove it") {
                    bytes = FileBytes.read("\(home.path)/state/\(name)") ?? []
                    return !bytes.isEmpty
                }
                #expect((1...1024).contains(bytes.count) && bytes.last == 0x0a, "\(name)")
                for line in wholeLines(of: bytes) { _ = try JSONValue(validating: line) }
            }
            #expect(FileBytes.read(home.path + "/state/audit.log.2") == nil)
        }
    }

    @Test(arguments: ["connections=0", "connections=x", "line=5", "nothing=5", "agents", "admission=0s", "line=1PB"])
    func anInvalidLimitIsRefused(text: String) throws {
        try BridgeHome.with { home in
            let outcome = try home.run("serve", "--no-tcp", "--limit", SystemString(text))
            #expect(outcome.status == .exited(code: 64))
            #expect(outcome.errorText.contains("--limit"))
        }
    }
}
