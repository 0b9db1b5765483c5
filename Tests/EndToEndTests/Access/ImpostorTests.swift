import AgentProcess
import EventLoop
import Glibc
import Posix
import Testing
import TinyvexClient

/// Another user of the machine listens at the bridge's address and waits for environments and tokens.
@Suite(.blocking, .enabled(if: geteuid() == 0, "only root can start a listener of another user"))
struct ImpostorTests {
    /// Prints a line for each connection, and a line for each read that returns bytes.
    private static let listener: SystemString = """
        use IO::Socket::UNIX;
        $| = 1;
        my $listener = IO::Socket::UNIX->new(Local => "run/bridge.sock", Listen => 100) or die "listen: $!";
        print "ready\\n";
        while (my $client = $listener->accept) {
            print "connection\\n";
            while (sysread $client, my $bytes, 65536) { print "GOT $bytes\\n"; }
        }
        """

    enum Place: CaseIterable { case anothersFolder, folderOpenToAll }

    private func impostor(_ place: Place, in home: BridgeHome) throws -> EditorProcess {
        let folder = home.path + "/run"
        #expect(chmod(home.path, 0o711) == 0 && mkdir(folder, 0o700) == 0)
        switch place {
        case .anothersFolder: #expect(chown(folder, 65534, 65534) == 0 && chmod(folder, 0o755) == 0)
        case .folderOpenToAll: #expect(chmod(folder, 0o777) == 0)
        }
        let become: [SystemString] = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
        let process = try EditorProcess(become + ["perl", "-e", Self.listener], in: home)
        #expect(try process.readLine() == "ready", "\(process.errorText)")
        return process
    }

    /// Ends the listener and returns its output.
    private func received(_ impostor: EditorProcess, connections: Int) throws -> [String] {
        for _ in 0..<connections { #expect(try impostor.readLine() == "connection") }
        impostor.kill(SIGKILL)
        let text = try impostor.outcome().outputText
        return text.split(separator: "\n").map(String.init).filter { $0 != "ready" && $0 != "connection" }
    }

    private static func commands(_ socket: String) -> [[SystemString]] {
        let url = SystemString("unix:" + socket)
        return [
            ["--", "cat"], ["--agent", "demo"], ["attach", "latest"], ["sessions"], ["agents"], ["status"],
            ["prompt", "latest", "hello"], ["cancel", "latest"], ["stop"], ["serve", "--replace"],
            ["sessions", "--url", url], ["token", "list", "--url", url], ["attach", "latest", "--url", url],
            ["connect", url + "?agent=demo"],
        ]
    }

    @Test(arguments: Place.allCases) func anotherUsersListenerReceivesNothing(place: Place) throws {
        try BridgeHome.with { home in
            let impostor = try impostor(place, in: home)
            let commands = Self.commands(home.socket)
            for command in commands {
                let process = try EditorProcess(
                    [Binary.acpbridge] + command, in: home, environment: ["ACPBRIDGE_TOKEN=kumquat", "API_KEY=kumquat"])
                let outcome = try process.outcome()
                #expect(outcome.status == .exited(code: 1), "\(command)")
                let refusal = "another user (uid 65534) listens on \(home.socket), so nothing was sent"
                #expect(outcome.errorText.contains(refusal), "\(command): \(outcome.errorText)")
                let namesFolder = outcome.errorText.contains("its folder, \(home.path)/run, belongs to uid 65534")
                #expect(namesFolder == (place == .anothersFolder), "\(command): \(outcome.errorText)")
            }
            #expect(try received(impostor, connections: commands.count) == [])
        }
    }

    @Test func theLibrarySendsNothingToAnotherUsersListener() async throws {
        try await BridgeHome.with { home in
            let impostor = try impostor(.anothersFolder, in: home)
            let error = await #expect(throws: TinyvexError.self) {
                try await home.client.mutation("sessions:setTitle", args: ["sessionId": "s", "title": "kumquat"])
            }
            guard case .transport(.untrusted(let reason)) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(reason.contains("another user (uid 65534) listens on \(home.socket)"))
            #expect(try received(impostor, connections: 1) == [])
        }
    }

    /// `serve` and `token` refuse a folder that another user created first, with or without a listener.
    @Test func aFolderOfAnotherUserIsRefused() throws {
        try BridgeHome.with { home in
            let impostor = try impostor(.anothersFolder, in: home)
            for command in [["serve", "--no-tcp"], ["token", "list"]] as [[SystemString]] {
                let outcome = try EditorProcess([Binary.acpbridge] + command, in: home).outcome()
                #expect(outcome.status == .exited(code: 1))
                #expect(outcome.errorText.contains("\(home.path)/run: it belongs to another user (uid 65534)"))
                #expect(outcome.errorText.contains("to use another folder, set XDG_RUNTIME_DIR or ACPBRIDGE_HOME"))
            }
            #expect(try received(impostor, connections: 0) == [])
        }
    }
}
