import AgentProcess
import EventLoop
import Glibc
import JSONScan
import Posix
import Testing

@Suite(.blocking) struct ServeTests {
    @Test func aReadyBridgePrintsItsAddresses() throws {
        try BridgeHome.with { home in
            let daemon = try Daemon(home, ["--listen", "127.0.0.1:0"])
            #expect(daemon.ready["ready"]?.boolValue == true)
            #expect(daemon.ready["pid"]?.int64Value == Int64(daemon.process.pid))
            #expect(daemon.ready["socket"]?.stringValue == home.socket)
            let address = try #require(daemon.address)
            for place in [address, .unix(path: home.socket)] {
                let response = try RawConnection(place).response(to: RawConnection.head("/healthz"))
                #expect(response.status == 200)
            }
        }
    }

    @Test func onlyTheUserCanAccessTheBridgesFiles() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let modes: [(String, mode_t)] = [
                ("run", S_IFDIR | 0o700), ("run/bridge.sock", S_IFSOCK | 0o600), ("config/token", S_IFREG | 0o600),
                ("state/sessions.db", S_IFREG | 0o600), ("state/sessions.db-wal", S_IFREG | 0o600),
                ("state/audit.log", S_IFREG | 0o600), ("state", S_IFDIR | 0o700), ("config", S_IFDIR | 0o700),
            ]
            _ = try TinyvexTestClient(home)
            for (file, mode) in modes {
                var status = stat()
                #expect(lstat("\(home.path)/\(file)", &status) == 0)
                #expect(status.st_mode == mode, "\(file)")
            }
        }
    }

    @Test func aSecondBridgeOnTheSameHomeReportsTheFirst() throws {
        try BridgeHome.with { home in
            let first = try Daemon(home)
            let second = try home.run("serve", "--no-tcp")
            #expect(second.status == .exited(code: 1))
            #expect(second.errorText.contains("\(first.process.pid)"))
            #expect(second.errorText.contains("serve --replace"), "`stop` would end the agents, too")
            #expect(try TinyvexTestClient(home).call("tinyvex/ping")["result"] != nil)
        }
    }

    @Test func aBridgeThatIsStartedOnDemandInASeparateHomeTakesItsLastPortAgain() throws {
        try BridgeHome.with { home in
            func start() throws -> String {
                #expect(try home.run("sessions").status == .exited(code: 0))
                return try #require(try home.status()["urls"]?.elements.first?.stringValue)
            }
            func end() throws {
                kill(try #require(home.daemon), SIGKILL)
                try eventually("the bridge has ended") { home.daemon == nil }
            }
            let first = try start()
            try end()
            #expect(try start() == first)
            try end()

            let port = try #require(
                first.split(separator: ":").last?.split(separator: "/").first.flatMap { UInt16($0) })
            // The threads of a killed process end one by one, and its sockets are closed after the last one.
            var other: Descriptor?
            try eventually("the port is free") {
                other = try? Sockets.listen(on: .ip(host: "127.0.0.1", port: port))
                return other != nil
            }
            let second = try start()
            #expect(second != first, "another program has the port")
            other = nil
            #expect(try home.run("serve", "--replace").status == .exited(code: 0))
            #expect(try home.status()["urls"]?.elements.first?.stringValue == second)
            try end()
            #expect(try start() == second)
        }
    }

    @Test func aKilledBridgesSocketIsReplaced() throws {
        try BridgeHome.with { home in
            try Daemon(home).killAtOnce()
            #expect(access(home.socket, F_OK) == 0)
            let second = try Daemon(home)
            #expect(try home.status()["pid"]?.int64Value == Int64(second.process.pid))
        }
    }

    @Test func aCommandStartsANewBridgeIfItsBridgeEnds() throws {
        try BridgeHome.with { home in
            // This start creates the folders.
            try Daemon(home).killAtOnce()
            unlink(home.socket)
            var dying: Descriptor? = try Sockets.listen(on: .unix(path: home.socket))
            let listener = dying?.raw ?? -1
            let listing = try Background { try home.run("sessions") }
            try eventually("the command has connected") {
                var wait = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
                return poll(&wait, 1, 0) > 0
            }
            dying = nil
            let outcome = try listing.wait()
            #expect(outcome.status == .exited(code: 0), "\(outcome.errorText)")
            #expect(try home.status()["pid"] != nil)
        }
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func aSignalShutsTheBridgeDownGracefully(signal: Int32) throws {
        try BridgeHome.with { home in
            let daemon = try Daemon(home)
            let editor = try EditorSession([Binary.rudeAgent, "echo"], in: home)
            let reader = try TinyvexTestClient(home)
            _ = try reader.subscribe(editor.sessionId, after: 0)
            daemon.process.kill(signal)
            #expect(try editor.process.outcome().status == .exited(code: 0))
            let end = try reader.next("tinyvex/ended")["params"]
            #expect(end?["reason"]?.stringValue == "exited")
            try reader.waitForEnd()
            #expect(reader.closeCode == .goingAway)
            #expect(try daemon.process.outcome().status == .exited(code: 0))
            #expect(access(home.socket, F_OK) != 0)
        }
    }

    @Test func withoutTCPTheBridgeListensOnlyOnItsSocket() throws {
        try BridgeHome.with { home in
            let daemon = try Daemon(home, ["--no-tcp"])
            #expect(daemon.ready["url"] == nil)
            #expect(try home.status()["urls"]?.elements.isEmpty == true)
        }
    }

    @Test func aPortInUseIsReportedWithASuggestion() throws {
        try BridgeHome.with { home in
            let taken = try Sockets.listen(on: .ip(host: "127.0.0.1", port: 0))
            let address = SystemString("127.0.0.1:\(Sockets.localPort(of: taken))")
            let outcome = try home.run("serve", "--listen", address)
            #expect(outcome.status == .exited(code: 1))
            #expect(outcome.errorText.contains("\(address) is in use"))
            #expect(outcome.errorText.contains("--listen"))
        }
    }

    /// The owner of the folder could replace the bridge's socket with another one.
    @Test(.enabled(if: geteuid() == 0, "only root can change the owner of a folder"))
    func aFolderOfAnotherUserIsRefused() throws {
        try BridgeHome.with { home in
            mkdir(home.path + "/run", 0o700)
            #expect(chown(home.path + "/run", 65534, 65534) == 0)
            for outcome in [try home.run("serve", "--no-tcp"), try home.run("--", Binary.rudeAgent, "echo")] {
                #expect(outcome.status != .exited(code: 0))
                #expect(outcome.errorText.contains(home.path + "/run"), "\(outcome.errorText)")
            }
        }
    }

    @Test(arguments: ["0.0.0.0:0", "[::]:0", "192.0.2.1:0", "bridge.example:0", "127.0.0.1.example:0"])
    func anAddressThatIsNotLoopbackIsRefused(address: String) throws {
        try BridgeHome.with { home in
            let outcome = try home.run("serve", "--listen", SystemString(address))
            #expect(outcome.status == .exited(code: 1))
            #expect(outcome.errorText.contains("\(address) is not a loopback address"), "\(outcome.errorText)")
        }
    }
}
