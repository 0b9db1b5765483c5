import AgentProcess
import EventLoop
import Glibc
import Posix
import Testing

/// The bridge compares the user id that the kernel reports for the other end of the Unix socket. The socket's folder
/// normally keeps other users out. Here the folder admits them, so the only reason for a refusal is that their user id
/// differs from the bridge's.
@Suite(.blocking, .enabled(if: geteuid() == 0, "only root can become another user")) struct PeerTests {
    private static let stranger: SystemString = "65534"

    /// Writes its argument to the socket, and prints the bytes that it receives.
    private static let client: SystemString = """
        use IO::Socket::UNIX;
        my $bridge = IO::Socket::UNIX->new("run/bridge.sock") or die "connect: $!";
        print $bridge $ARGV[0];
        print while <$bridge>;
        """

    /// Returns the answer that a process of that user gets.
    private func answer(
        to target: String, _ fields: [String] = [], by user: SystemString, in home: BridgeHome
    ) throws -> String {
        let head = RawConnection.head(target, RawConnection.upgrade + fields)
        let become: [SystemString] = ["setpriv", "--reuid", user, "--regid", user, "--clear-groups"]
        let process = try EditorProcess(become + ["perl", "-e", Self.client, SystemString(head)], in: home)
        let outcome = try process.outcome()
        #expect(outcome.status == .exited(code: 0), "\(outcome.errorText)")
        return outcome.outputText
    }

    private func openToAll(_ home: BridgeHome) {
        for folder in [home.path, home.path + "/run"] { chmod(folder, 0o755) }
        chmod(home.socket, 0o666)
    }

    @Test func anotherUserNeedsATokenAndCannotConnectAsAShim() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let token = try TokenTests.create(home, "--role", "admin")
            // Open the folder last, because any command that uses the folder makes it private again.
            openToAll(home)
            let bearer = ["Authorization: Bearer \(token)"]
            #expect(try answer(to: "/v1/agents", by: "0", in: home).hasPrefix("HTTP/1.1 200 "))
            for target in ["/v1/agents", "/tinyvex", "/acp", "/stdio", "/metrics", "/nowhere"] {
                let said = try answer(to: target, by: Self.stranger, in: home)
                #expect(said.hasPrefix("HTTP/1.1 401 "), "\(target): \(said)")
            }
            #expect(try answer(to: "/v1/agents", bearer, by: Self.stranger, in: home).hasPrefix("HTTP/1.1 200 "))
            let front = try answer(to: "/stdio", bearer, by: Self.stranger, in: home)
            #expect(front.hasPrefix("HTTP/1.1 403 "), "\(front)")
            #expect(try answer(to: "/healthz", by: Self.stranger, in: home).hasPrefix("HTTP/1.1 200 "))
        }
    }
}
