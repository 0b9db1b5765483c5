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
