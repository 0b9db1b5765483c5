import Glibc
import Testing

/// `acpbridge setup` writes editors' settings.
@Suite(.blocking) struct SetupTests {
    @Test func aMissingFileIsCreatedAndASecondRunChangesNothing() throws {
        try BridgeHome.with { home in
            let first = try home.run("setup", "zed", "--agent", "demo", "--yes")
            #expect(first.status == .exited(code: 0), "\(first)")
            let file = home.path + "/.config/zed/settings.json"
            let written = try #require(FileBytes.read(file))
            #expect(String(decoding: written, as: UTF8.self).contains(#""args": ["--agent", "demo"]"#))
            let second = try home.run("setup", "zed", "--agent", "demo", "--yes")
            #expect(second.errorText.contains("already"))
            #expect(FileBytes.read(file) == written)
            #expect(access(file + ".before-acpbridge", F_OK) != 0)
        }
    }

    @Test func commentsModeAndThePreviousFileAreKept() throws {
        try BridgeHome.with { home in
            mkdir(home.path + "/.jetbrains", 0o700)
            let file = home.path + "/.jetbrains/acp.json"
            let old = Array("{\n  // mine\n  \"a\": 1,\n}\n".utf8)
            try FileBytes.write(old, to: file)
            chmod(file, 0o640)
            #expect(try home.run("setup", "jetbrains", "--agent", "demo", "--yes").status == .exited(code: 0))
            let new = String(decoding: try #require(FileBytes.read(file)), as: UTF8.self)
            #expect(new.hasSuffix("  // mine\n  \"a\": 1,\n}\n"))
            #expect(FileBytes.read(file + ".before-acpbridge") == old)
            var status = stat()
            #expect(stat(file, &status) == 0 && status.st_mode & 0o777 == 0o640)
        }
    }

    @Test func withoutATerminalOrConsentNothingChanges() throws {
        try BridgeHome.with { home in
            let file = home.path + "/.config/zed/settings.json"
            let outcome = try home.run("setup", "zed", "--agent", "demo")
            #expect(outcome.status == .exited(code: 64))
            #expect(access(file, F_OK) != 0)
            #expect(try home.run("setup", "zed", "--agent", "demo", "--print").outputText.contains("agent_servers"))
            #expect(access(file, F_OK) != 0)
            #expect(try home.run("setup", "zed", "--agent", "nobody", "--yes").status == .exited(code: 64))
        }
    }

    @Test func aFileThatIsNotJSONIsNotTouched() throws {
        try BridgeHome.with { home in
            mkdir(home.path + "/.jetbrains", 0o700)
            let file = home.path + "/.jetbrains/acp.json"
            try FileBytes.write(Array("{\n oops }".utf8), to: file)
            let outcome = try home.run("setup", "jetbrains", "--agent", "demo", "--yes")
            #expect(outcome.status == .exited(code: 1))
            #expect(outcome.errorText.contains("line 2 is not valid JSON"))
            #expect(FileBytes.read(file) == Array("{\n oops }".utf8))
        }
    }
}
