import Glibc
import TestSupport
import Testing
import Tinyvex

@testable import Access
@testable import EventLoop
@testable import Posix

@Suite struct HomeTests {
    @Test func theHomeVariablePutsAllFilesInOneFolder() throws {
        let home = try Home(environment: ["ACPBRIDGE_HOME": "/x", "XDG_STATE_HOME": "/s"], user: 1)
        #expect(home.socket == "/x/run/bridge.sock")
        #expect(home.log == "/x/state/sessions.db")
        #expect(home.token == "/x/config/token")
    }

    @Test func withoutTheHomeVariableTheXDGFoldersAreUsed() throws {
        let home = try Home(
            environment: ["HOME": "/h", "XDG_RUNTIME_DIR": "/run/user/1", "XDG_CONFIG_HOME": "relative"], user: 1)
        #expect(home.runtime == "/run/user/1/acpbridge")
        #expect(home.state == "/h/.local/state/acpbridge")
        #expect(home.configuration == "/h/.config/acpbridge")
    }

    /// Services and `env -i` have no HOME. A folder below `/tmp` is not a substitute, because any user can create it.
    @Test(arguments: [nil, "", "relative"] as [String?]) func withoutHOMETheUserDatabaseIsUsed(home: String?) throws {
        var environment = ["XDG_RUNTIME_DIR": "/run/user/1"]
        environment["HOME"] = home
        let found = try Home(environment: environment, user: 1) { "/home/of-\($0)" }
        #expect(found.runtime == "/run/user/1/acpbridge")
        #expect(found.state == "/home/of-1/.local/state/acpbridge")
        #expect(found.configuration == "/home/of-1/.config/acpbridge")
    }

    @Test func aUserWithoutAHomeFolderIsRefusedUnlessNoneIsNeeded() throws {
        let error = #expect(throws: Home.Missing.self) {
            try Home(environment: ["XDG_STATE_HOME": "/s"], user: 5) { _ in nil }
        }
        #expect(error?.description.contains("set HOME or ACPBRIDGE_HOME") == true)
        let home = try Home(environment: ["XDG_STATE_HOME": "/s", "XDG_CONFIG_HOME": "/c"], user: 5) { _ in nil }
        #expect(home.runtime == "/tmp/acpbridge-5")
        #expect(home.state == "/s/acpbridge")
        #expect(try Home(environment: ["ACPBRIDGE_HOME": "/x"], user: 5) { _ in nil } == Home(root: "/x"))
    }

    @Test(arguments: ["run", "state", "config"]) func aFolderThatOthersCanWriteToIsRefused(name: String) throws {
        let root = TemporaryFolder()
        let home = Home(root: root.path)
        try home.prepare()
        for mode in [0o770, 0o707, 0o1777] as [mode_t] {
            #expect(chmod(root.path + "/" + name, mode) == 0)
            let error = #expect(throws: SystemError.self) { try home.prepare() }
            #expect(error?.description.contains("/\(name): other users can write to it") == true)
        }
        #expect(chmod(root.path + "/" + name, 0o755) == 0)
        try home.prepare()
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a folder away"), arguments: ["run", "state", "config"])
    func aFolderOfAnotherUserIsRefused(name: String) throws {
        let root = TemporaryFolder()
        let home = Home(root: root.path)
        try home.prepare()
        #expect(chown(root.path + "/" + name, 65534, 65534) == 0)
        let error = #expect(throws: SystemError.self) { try home.prepare() }
        #expect(error?.description.contains("/\(name): it belongs to another user (uid 65534)") == true)
        #expect(error?.description.contains("ACPBRIDGE_HOME") == true)
    }

    @Test func onlyTheRuntimeFolderMustNotBeALink() throws {
        let root = TemporaryFolder()
        let home = Home(root: root.path)
        for (name, target) in [("state", "elsewhere-1"), ("config", "elsewhere-2"), ("run", "elsewhere-3")] {
            #expect(mkdir(root.path + "/" + target, 0o700) == 0)
            #expect(symlink(target, root.path + "/" + name) == 0)
        }
        let error = #expect(throws: SystemError.self) { try home.prepare() }
        #expect(error?.description.contains("/run: it is a symbolic link") == true)
        #expect(unlink(home.runtime) == 0)
        try home.prepare()
    }

    @Test func foldersAreCreatedPrivate() throws {
        let root = TemporaryFolder()
        let home = Home(root: root.path + "/a/b")
        try home.prepare()
        try home.prepare()
        for folder in [home.runtime, home.state, home.configuration] {
            var status = stat()
            #expect(stat(folder, &status) == 0)
            #expect(status.st_mode & 0o777 == 0o700)
        }
    }

    @Test func aPathTooLongForASocketIsRefusedBeforeAnyFolderIsCreated() {
        let root = TemporaryFolder()
        let home = Home(root: root.path + "/" + String(repeating: "x", count: 100))
        #expect(throws: SystemError.self) { try home.prepare() }
        #expect(access(home.runtime, F_OK) != 0)
    }

    @Test func aFileInPlaceOfAFolderIsRefused() throws {
        let root = TemporaryFolder()
        let home = Home(root: root.path)
        close(open(home.runtime, O_CREAT | O_WRONLY, 0o600))
        #expect(throws: SystemError.self) { try home.prepare() }
    }
}

@Suite struct AccessTokenTests {
    @Test func theTokenIsCreatedOnceAndOnlyItsOwnerCanReadIt() throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/token"
        let made = try AccessToken.load(path: path)
        #expect(made.text.hasPrefix("acpbridge_") && made.text.count == 74)
        #expect(try AccessToken.load(path: path).text == made.text)
        var status = stat()
        #expect(stat(path, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
    }

    @Test(
        arguments: [
            (0o602, "other users can write to it"), (0o620, "other users can write to it"),
            (0o604, "every user of this machine can read it"),
        ] as [(mode_t, String)])
    func aTokenFileThatOthersCanWriteOrReadIsRefused(mode: mode_t, reason: String) throws {
        let folder = TemporaryFolder()
        let path = folder.file("token", "laid-in-advance")
        #expect(chmod(path, mode) == 0)
        let error = #expect(throws: SystemError.self) { try AccessToken.load(path: path) }
        #expect(error?.refusal?.contains(reason) == true)
        #expect(try AccessToken.read(path) == "laid-in-advance", "a client only sends the token")
    }

    @Test func aTokenThatCanBeGuessedIsRefused() throws {
        let folder = TemporaryFolder()
        let short = folder.file("short", "letmein-letmein-letme\n")
        let error = #expect(throws: SystemError.self) { try AccessToken.load(path: short) }
        #expect(error?.refusal?.contains("fewer than 22 characters") == true)
        let long = folder.file("long", "letmein-letmein-letmei\n")
        #expect(try AccessToken.load(path: long).text == "letmein-letmein-letmei")
    }

    @Test func aTableOfTokensThatOthersCanWriteIsRefused() throws {
        let folder = TemporaryFolder()
        let home = Home(root: folder.path)
        try home.prepare()
        let issued = try TokenFile(home).edit { table throws(Rejection) in
            try table.issue(TokenOrder(role: .observe, name: nil, lifeSeconds: nil))
        }
        #expect(issued != nil)
        #expect(try TokenFile(home).read().records.count == 1)
        #expect(chmod(home.tokens, 0o622) == 0)
        #expect(throws: TokenFile.Failure.self) { try TokenFile(home).read() }
    }

    /// The bridge's loop cannot wait for a process that was stopped in the middle of a change.
    @Test func aChangeOfTheTokensWaitsForTheLockOnlyAsLongAsItIsAllowed() throws {
        let folder = TemporaryFolder()
        let home = Home(root: folder.path)
        try home.prepare()
        let lock = try FileLock(path: home.tokens + ".lock")
        let file = TokenFile(home)
        func change(_ table: inout TokenTable) throws(Rejection) { _ = table }
        #expect(throws: TokenFile.Failure.self) { try file.edit(within: .zero, change) }
        lock.release()
        #expect(try file.edit(within: .zero, change) != nil)
    }

    @Test func onlyTheIdenticalTextMatches() {
        let token = AccessToken(text: "abc")
        #expect(token.matches("abc"))
        for other in ["", "ab", "abcd", "abd", "ABC"] { #expect(!token.matches(other)) }
    }
}

@Suite struct FileLockTests {
    @Test func aSecondLockFailsWithTheHoldersProcessId() throws {
        let folder = TemporaryFolder()
        let first = try FileLock(path: folder.path + "/lock")
        do {
            let second = try FileLock(path: folder.path + "/lock")
            second.release()
            Issue.record("the lock was taken twice")
        } catch FileLock.Failure.held(let pid) {
            #expect(pid == getpid())
        }
        first.release()
        let third = try FileLock(path: folder.path + "/lock")
        third.release()
    }

    /// The file is truncated. A link in its place must not cause another file to be truncated.
    @Test func aLinkInPlaceOfTheLockFileIsNotFollowed() throws {
        let folder = TemporaryFolder()
        let victim = folder.file("victim", "precious")
        #expect(symlink(victim, folder.path + "/lock") == 0)
        #expect(throws: FileLock.Failure.self) { try FileLock(path: folder.path + "/lock").release() }
        var status = stat()
        #expect(stat(victim, &status) == 0 && status.st_size == 8)
    }
}
