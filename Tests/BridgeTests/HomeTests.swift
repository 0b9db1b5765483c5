import EventLoop
import Glibc
import TestSupport
import Testing

@testable import Bridge

@Suite struct HomeTests {
    @Test func oneFolderHoldsEverythingWhenAsked() {
        let home = Home(environment: ["ACPBRIDGE_HOME": "/x", "XDG_STATE_HOME": "/s"], user: 1)
        #expect(home.socket == "/x/run/bridge.sock")
        #expect(home.log == "/x/state/sessions.db")
        #expect(home.token == "/x/config/token")
    }

    @Test func otherwiseTheXDGFoldersAreUsed() {
        let home = Home(
            environment: ["HOME": "/h", "XDG_RUNTIME_DIR": "/run/user/1", "XDG_CONFIG_HOME": "relative"], user: 1)
        #expect(home.runtime == "/run/user/1/acpbridge")
        #expect(home.state == "/h/.local/state/acpbridge")
        #expect(home.configuration == "/h/.config/acpbridge")
    }

    @Test func foldersAreMadePrivate() throws {
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

    @Test func aPathTooLongForASocketIsAnErrorBeforeAnythingIsMade() {
        let root = TemporaryFolder()
        let home = Home(root: root.path + "/" + String(repeating: "x", count: 100))
        #expect(throws: SystemError.self) { try home.prepare() }
        #expect(access(home.runtime, F_OK) != 0)
    }

    @Test func aFileInTheFoldersPlaceIsAnError() throws {
        let root = TemporaryFolder()
        let home = Home(root: root.path)
        close(open(home.runtime, O_CREAT | O_WRONLY, 0o600))
        #expect(throws: SystemError.self) { try home.prepare() }
    }
}

@Suite struct AccessTokenTests {
    @Test func itIsMadeOnceAndReadByItsOwnerOnly() throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/token"
        let made = try AccessToken.load(path: path)
        #expect(made.text.count == 64)
        #expect(try AccessToken.load(path: path).text == made.text)
        var status = stat()
        #expect(stat(path, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
    }

    @Test func onlyTheSameTextMatches() {
        let token = AccessToken(text: "abc")
        #expect(token.matches("abc"))
        for other in ["", "ab", "abcd", "abd", "ABC"] { #expect(!token.matches(other)) }
    }
}

@Suite struct FileLockTests {
    @Test func aSecondHolderIsToldWhoHasIt() throws {
        let folder = TemporaryFolder()
        let first = try FileLock(path: folder.path + "/lock")
        do {
            let second = try FileLock(path: folder.path + "/lock")
            second.release()
            Issue.record("two hold the lock")
        } catch FileLock.Failure.held(let pid) {
            #expect(pid == getpid())
        }
        first.release()
        let third = try FileLock(path: folder.path + "/lock")
        third.release()
    }
}
