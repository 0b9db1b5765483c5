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

@Suite(.timeLimit(.minutes(1))) struct PrivateFileTests {
    private let folder = TemporaryFolder()

    @Test func aPipeWithoutAWriterIsEmpty() throws {
        let path = folder.path + "/pipe"
        #expect(mkfifo(path, 0o600) == 0)
        #expect(try PrivateFile.read(path, limitBytes: 100) == [])
    }

    @Test func aPipeIsReadUntilItsWriterCloses() throws {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        let (input, output) = (ends[0], ends[1])
        defer { close(input) }
        try DetachedThread.start(name: "writer") {
            for text in ["{\"a\":", "1}"] {
                _ = text.utf8CString.withUnsafeBytes { write(output, $0.baseAddress, text.utf8.count) }
            }
            close(output)
        }
        let bytes = try PrivateFile.read("/proc/self/fd/\(input)", limitBytes: 100)
        #expect(bytes.map { String(decoding: $0, as: UTF8.self) } == #"{"a":1}"#)
    }

    @Test func aPipeWhoseWriterIsSilentIsAnError() throws {
        let path = folder.path + "/pipe"
        #expect(mkfifo(path, 0o600) == 0)
        let both = open(path, O_RDWR | O_CLOEXEC)
        defer { close(both) }
        #expect(throws: SystemError("read \(path)", code: ETIMEDOUT)) { try PrivateFile.read(path, limitBytes: 100) }
    }

    @Test func aLinkIsRefusedIfItMustNotBeOne() throws {
        let path = folder.path + "/link"
        #expect(symlink(folder.file("data", "x"), path) == 0)
        #expect(try PrivateFile.read(path, limitBytes: 100) == Array("x".utf8))
        #expect(throws: SystemError.self) { try PrivateFile.read(path, limitBytes: 100, followsLink: false) }
    }
}
