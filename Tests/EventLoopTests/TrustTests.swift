import Glibc
import TestSupport
import Testing

@testable import EventLoop
@testable import Posix

/// Trust in listeners, files and folders. Tests that need a second user run as root, and end to end as well.
@Suite struct TrustTests {
    @Test(arguments: [
        (1000 as uid_t?, 1000 as uid_t, true), (0, 1000, true), (0, 0, true), (1001, 1000, false), (1000, 0, false),
        (65534, 1000, false), (nil, 1000, false), (nil, 0, false),
    ])
    func onlyListenersOfThisUserAndRootAreTrusted(listener: uid_t?, user: uid_t, isTrusted: Bool) {
        let refusal = ListenerTrust.refusal(of: listener, by: user, path: "/nowhere/x.sock")
        #expect((refusal == nil) == isTrusted)
        #expect(refusal?.contains("nothing was sent") != false)
    }

    @Test func aSocketOfThisUserConnects() throws {
        let folder = TemporaryFolder()
        let address = SocketAddress.unix(path: folder.path + "/own.sock")
        let listener = try Sockets.listen(on: address)
        _ = try Sockets.connect(to: address)
        let socket = try Sockets.beginConnecting(to: address)
        #expect(Sockets.connectError(of: socket.raw) == nil)
        #expect(Sockets.peerUser(of: socket.raw) == geteuid())
        #expect(try Sockets.accept(on: listener) != nil)
    }

    @Test(arguments: [(0o600, true), (0o444, true), (0o755, true), (0o620, false), (0o602, false), (0o666, false)])
    func aFileThatOthersCanWriteIsRefused(mode: mode_t, isTrusted: Bool) throws {
        let folder = TemporaryFolder()
        let path = folder.file("believed", "text")
        #expect(chmod(path, mode) == 0)
        let file = Descriptor(owning: open(path, O_RDONLY | O_CLOEXEC))
        let refusal = Result { () throws(SystemError) in try FileTrust.check(file.raw, path: path) }
        #expect((try? refusal.get()) != nil || !isTrusted)
        #expect((try? refusal.get()) == nil || isTrusted)
    }

    @Test func onlyFilesOfThisUserAndRootAreTrusted() throws {
        var status = stat()
        status.st_mode = S_IFREG | 0o600
        for (owner, user, isTrusted) in [(7, 7, true), (0, 7, true), (8, 7, false), (7, 0, false)]
            as [(uid_t, uid_t, Bool)]
        {
            status.st_uid = owner
            let found: Void? = try? FileTrust.check(status, "/x", user: user)
            #expect((found != nil) == isTrusted, "\(owner) for \(user)")
        }
    }

    @Test func aLinkToAFolderIsFollowedOnlyIfAsked() throws {
        let folder = TemporaryFolder()
        let link = folder.path + "/link"
        #expect(mkdir(folder.path + "/target", 0o700) == 0 && symlink("target", link) == 0)
        _ = try FileTrust.openFolder(link)
        let error = #expect(throws: SystemError.self) { _ = try FileTrust.openFolder(link, followsLink: false) }
        #expect(error?.refusal == "it is a symbolic link")
        #expect(chmod(folder.path + "/target", 0o770) == 0)
        #expect(throws: SystemError.self) { _ = try FileTrust.openFolder(link) }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a link away"))
    func aLinkOfAnotherUserIsRefusedRegardlessOfItsTarget() throws {
        let folder = TemporaryFolder()
        let link = folder.path + "/link"
        #expect(mkdir(folder.path + "/target", 0o700) == 0 && symlink("target", link) == 0)
        #expect(lchown(link, 65534, 65534) == 0)
        let error = #expect(throws: SystemError.self) { _ = try FileTrust.openFolder(link) }
        #expect(error?.refusal == "it belongs to another user (uid 65534)")
    }

    @Test func theHomeFolderComesFromTheUserDatabase() throws {
        let entry = try #require(getpwuid(0))
        #expect(UserDatabase.homeFolder(of: 0) == String(cString: entry.pointee.pw_dir))
        #expect(UserDatabase.homeFolder(of: 4_294_967_000) == nil)
    }
}
