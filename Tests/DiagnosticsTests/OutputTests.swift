import Glibc
import Posix
import TestSupport
import Testing

@testable import Diagnostics

@Suite struct OutputTests {
    private func size(_ path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : -1
    }

    @Test func aFullFileIsRenamedAndNoLineIsLost() throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/log"
        let output = try FileOutput(path, limitBytes: 100)
        for _ in 0..<10 { #expect(output.write(Array("123456789012345678901234567890\n".utf8)) == 31) }
        #expect(size(path) == 31 && size(path + ".1") == 93)
    }

    @Test func aFileThatAnotherProgramRenamedIsNotRenamedAgain() throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/log"
        let output = try FileOutput(path, limitBytes: 10)
        #expect(output.write(Array("123456789\n".utf8)) == 10)
        #expect(rename(path, path + ".old") == 0)
        #expect(output.write(Array("123456789\n".utf8)) == 10)
        #expect(size(path + ".old") == 20 && size(path + ".1") == -1)
    }

    @Test func aFIFOWithoutAReaderIsRefusedAtOnce() throws {
        let path = TemporaryFolder().path + "-fifo"
        defer { unlink(path) }
        #expect(mkfifo(path, 0o600) == 0)
        do throws(SystemError) {
            _ = try FileOutput(path)
            Issue.record("the FIFO has no reader")
        } catch {
            #expect("\(error)".contains("start its reader first"))
        }
        let reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        defer { close(reader) }
        #expect(try FileOutput(path).write(Array("a line\n".utf8)) == 7)
    }

    @Test func aFullStandardErrorContinuesInANewFileUnderTheSameNumber() throws {
        let folder = TemporaryFolder()
        let path = folder.file("log", "")
        let fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
        defer { close(fd) }
        let output = try #require(FileOutput(standardErrorIn: path, limitBytes: 100, descriptor: fd))
        for _ in 0..<4 { #expect(output.write(Array("123456789012345678901234567890\n".utf8)) == 31) }
        #expect(size(path) == 31 && size(path + ".1") == 93)
        #expect(Glibc.write(fd, "a crash\n", 8) == 8 && size(path) == 39)
    }

    @Test func twoWritersOfOneStandardErrorContinueInTheSameNewFile() throws {
        let folder = TemporaryFolder()
        let path = folder.file("log", "")
        let first = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
        let second = dup(first)
        defer { for fd in [first, second] { close(fd) } }
        let outputs = try [first, second].map {
            try #require(FileOutput(standardErrorIn: path, limitBytes: 30, descriptor: $0))
        }
        let line = Array("1234567890123456789\n".utf8)
        #expect(outputs[0].write(line) == 20 && outputs[0].write(line) == 20)
        #expect(outputs[1].write(Array("1234567890\n".utf8)) == 11)
        #expect(size(path) == 31 && size(path + ".1") == 20)
    }

    @Test func aStandardErrorThatIsAnotherFileOrAPipeIsLeftAlone() throws {
        let folder = TemporaryFolder()
        let path = folder.file("log", "")
        let other = open(folder.file("other", ""), O_WRONLY | O_APPEND | O_CLOEXEC)
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        defer { for fd in ends + [other] { close(fd) } }
        #expect(FileOutput(standardErrorIn: path, descriptor: other) == nil)
        #expect(FileOutput(standardErrorIn: path, descriptor: ends[1]) == nil)
    }

    @Test func theJournalGetsOneDatagramPerEvent() throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/socket"
        #expect(throws: SystemError.self) { try JournalOutput(path: path) }
        let receiver = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(receiver) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(receiver, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        #expect(bound == 0)
        let output = try JournalOutput(path: path)
        #expect(output.write(Array("MESSAGE=a\n".utf8)) == 10)
        #expect(output.write(Array("MESSAGE=b\n".utf8)) == 10)
        var buffer = [UInt8](repeating: 0, count: 100)
        let count = recv(receiver, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        #expect(String(decoding: buffer.prefix(max(0, count)), as: UTF8.self) == "MESSAGE=a\n")
    }
}
