import AgentProcess
import EventLoop
import Glibc
import Posix
import Testing

/// Files and folders that another user created before the bridge did, or can change.
@Suite(.blocking) struct PlantedFileTests {
    enum Way: CaseIterable { case ofAnother, writable }

    /// Only root can give a file to another user; a wrong mode can be set by any user.
    static let ways: [Way] = geteuid() == 0 ? Way.allCases : [.writable]

    private func plant(_ name: String, _ text: String, _ way: Way, in home: BridgeHome) throws -> String {
        let path = "\(home.path)/\(name)"
        for folder in ["config", "config/agents", "run", "state"] { mkdir("\(home.path)/\(folder)", 0o700) }
        if access(path, F_OK) != 0 { try FileBytes.write(Array(text.utf8), to: path) }
        switch way {
        case .ofAnother: #expect(chown(path, 65534, 65534) == 0)
        case .writable: #expect(chmod(path, 0o777) == 0)
        }
        return "\(path): " + refusal(way)
    }

    private func refusal(_ way: Way) -> String {
        way == .ofAnother ? "it belongs to another user (uid 65534)" : "other users can write to it"
    }

    @Test(
        arguments: [
            "config/token", "config/tokens", "config/tokens.lock", "run/bridge.lock", "run", "state", "config",
        ],
        ways)
    func aBridgeDoesNotStartIfAnotherUserCanChangeItsFiles(name: String, way: Way) throws {
        try BridgeHome.with { home in
            let words = try plant(name, "planted-token\n", way, in: home)
            let outcome = try home.run("serve", "--no-tcp")
            #expect(outcome.status == .exited(code: 1))
            #expect(outcome.errorText.contains(words), "\(outcome.errorText)")
        }
    }

    @Test(arguments: ["config/agents/planted.json", "config/agents", "config"], ways)
    func aProfileThatAnotherUserCanChangeIsRefused(name: String, way: Way) throws {
        try BridgeHome.with { home in
            try home.addAgent("planted", ["touch", SystemString(home.path + "/was-run")])
            _ = try plant(name, "", way, in: home)
            let outcome = try home.run("--agent", "planted")
            #expect(outcome.status == .exited(code: 1))
            #expect(outcome.errorText.contains(refusal(way)), "\(outcome.errorText)")
            #expect(try home.run("agents").errorText.contains(refusal(way)))
            #expect(access(home.path + "/was-run", F_OK) != 0)
        }
    }

    @Test(arguments: ["run/bridge.lock", "run/start.lock", "state/bridge.log", "state/sessions.db.lock"])
    func aSymbolicLinkInPlaceOfAFileIsNotFollowed(name: String) throws {
        try BridgeHome.with { home in
            for folder in ["run", "state"] { mkdir("\(home.path)/\(folder)", 0o700) }
            let victim = home.path + "/victim"
            try FileBytes.write(Array("precious".utf8), to: victim)
            #expect(symlink(victim, "\(home.path)/\(name)") == 0)
            let outcome = try home.run("--", "true")
            #expect(outcome.status == .exited(code: 1), "\(outcome.errorText)")
            #expect(FileBytes.read(victim).map { String(decoding: $0, as: UTF8.self) } == "precious")
        }
    }

    /// The environment of a system service. No profile has this agent name, so the bridge looks only at the folder.
    @Test func withoutHOMETheBridgeDoesNotUseAFolderInTmp() throws {
        try BridgeHome.with { home in
            let outcome = try EditorProcess(
                ["env", "-u", "HOME", "-u", "ACPBRIDGE_HOME", Binary.acpbridge, "--agent", "no-such-agent"], in: home,
                environment: [SystemString("XDG_RUNTIME_DIR=" + home.path)]
            ).outcome()
            if let folder = UserDatabase.homeFolder(of: geteuid()) {
                #expect(outcome.status == .exited(code: 64), "\(outcome.errorText)")
                #expect(outcome.errorText.contains("\(folder)/.config/acpbridge/agents/no-such-agent.json"))
            } else {
                #expect(outcome.status == .exited(code: 1), "\(outcome.errorText)")
                #expect(outcome.errorText.contains("HOME is not set"))
            }
        }
    }
}
