import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Diagnostics

@Suite struct OperatorMessagesTests {
    private final class Lines: Sendable {
        let all = Mutex<[String]>([])
    }

    @Test func theLogFileReceivesEventsAndTheTerminalReceivesSentences() throws {
        let (lines, folder) = (Lines(), TemporaryFolder())
        let path = folder.path + "/bridge.log"
        let messages = try OperatorMessages(starting: DiagnosticLog(), .warning, .text, file: path) { line in
            lines.all.withLock { $0.append(line) }
        }
        messages.warn("the certificate has expired")
        messages.report("an earlier bridge was killed")
        #expect(
            lines.all.withLock(\.self) == ["Warning: the certificate has expired", "an earlier bridge was killed"])
        var bytes = [UInt8](repeating: 0, count: 1024)
        let fd = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(fd) }
        let count = read(fd, &bytes, bytes.count)
        let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        #expect(text.contains(#"event=warned text="the certificate has expired""#))
        #expect(text.contains(#"event=warned text="an earlier bridge was killed""#))
    }

    @Test func aFileThatCannotBeOpenedIsAnError() {
        #expect(throws: (any Error).self) {
            _ = try OperatorMessages(starting: DiagnosticLog(), .warning, .text, file: "/nonexistent/log") { _ in }
        }
    }
}
