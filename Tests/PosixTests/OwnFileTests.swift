import Glibc
import Posix
import TestSupport
import Testing

@Suite struct OwnFileTests {
    private let folder = TemporaryFolder()

    @Test func aNewFileIsPrivateToItsOwnerAndNotInherited() throws {
        let path = folder.path + "/new"
        let file = try FileTrust.openOwnFile(path, flags: O_RDWR | O_CREAT)
        var status = stat()
        #expect(fstat(file.raw, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
        #expect(fcntl(file.raw, F_GETFD) & FD_CLOEXEC != 0)
    }

    @Test func aMissingFileIsASystemError() {
        let path = folder.path + "/none"
        #expect(throws: FileTrust.OpenFailure.system(SystemError("open \(path)", code: ENOENT))) {
            _ = try FileTrust.openOwnFile(path, flags: O_RDONLY).raw
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a file away"))
    func aFileOfAnotherUserIsRefusedAndClosed() {
        let path = folder.file("foreign", "x")
        #expect(chown(path, 65534, 65534) == 0)
        #expect(throws: FileTrust.OpenFailure.foreign(owner: 65534)) {
            _ = try FileTrust.openOwnFile(path, flags: O_RDONLY).raw
        }
    }
}

@Suite struct LockedFileTests {
    private let folder = TemporaryFolder()

    private func lock(_ path: String) throws -> FileLock {
        try FileLock(locking: try FileTrust.openOwnFile(path, flags: O_RDWR), path: path)
    }

    @Test func lockingAnOpenFileKeepsItsContent() throws {
        let path = folder.file("data", "precious")
        let first = try lock(path)
        #expect(throws: FileLock.Failure.self) { try lock(path).release() }
        first.release()
        try lock(path).release()
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_size == 8)
    }

    /// A child process that has not run its own program yet holds a copy of the descriptor.
    @Test func aCopyOfTheDescriptorDoesNotHoldTheLock() throws {
        let path = folder.file("data", "")
        let first = try lock(path)
        let copy = Descriptor(owning: fcntl(first.fd, F_DUPFD_CLOEXEC, 0))
        first.release()
        try lock(path).release()
        #expect(copy.raw >= 0)
    }
}
