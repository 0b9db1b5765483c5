import Glibc
import JSONScan
import TestSupport
import Testing
import Tinyvex

@testable import Access
@testable import EventLoop
@testable import Posix

@Suite struct AuditLogTests {
    private let session = AuditEvent.SessionName(agent: "codex", sessionId: "s1")

    init() { LoopThread.start }

    private func rows(_ name: String, in folder: TemporaryFolder) throws -> [JSONValue] {
        let bytes = try PrivateFile.read("\(folder.path)/\(name)", limitBytes: 1 << 20) ?? []
        return try bytes.split(separator: 0x0a).map { try JSONValue(validating: Array($0)) }
    }

    @Test @LoopActor func eachLineContainsTheUserAndTheAction() throws {
        let folder = TemporaryFolder()
        let log = AuditLog(path: folder.path + "/audit", limitBytes: 1 << 20)
        log.record(.attached(session), by: .localUser(1000), connection: "c1")
        log.record(
            .answered(session, requestId: "5", choice: "allow"),
            by: Identity(who: "jwt alice", role: .control, tenant: "acme"))
        let rows = try rows("audit", in: folder)
        #expect(rows.map { $0["event"]?.stringValue } == ["attached", "answered"])
        #expect(rows.map { $0["who"]?.stringValue } == ["uid 1000", "jwt alice"])
        #expect(rows.map { $0["sessionId"]?.stringValue } == ["s1", "s1"])
        #expect(rows[0]["connection"]?.stringValue == "c1")
        #expect(rows[1]["tenant"]?.stringValue == "acme")
        #expect(rows[1]["choice"]?.stringValue == "allow")
        #expect(rows[0]["ts"]?.stringValue?.hasSuffix("Z") == true)
        var status = stat()
        #expect(stat(folder.path + "/audit", &status) == 0 && status.st_mode & 0o777 == 0o600)
    }

    @Test @LoopActor func othersCanNeitherReadNorChangeTheFile() throws {
        let folder = TemporaryFolder()
        let path = folder.file("audit", "")
        #expect(chmod(path, 0o666) == 0)
        let log = AuditLog(path: path, limitBytes: 1 << 20)
        log.record(.attached(session), by: .nobody)
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600 && status.st_size > 0)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a file away"))
    @LoopActor func aFileOfAnotherUserIsNotWritten() throws {
        let folder = TemporaryFolder()
        let path = folder.file("audit", "")
        #expect(chown(path, 65534, 65534) == 0)
        let log = AuditLog(path: path, limitBytes: 1 << 20)
        log.record(.attached(session), by: .nobody)
        var status = stat()
        #expect(log.lostLines == 1 && stat(path, &status) == 0 && status.st_size == 0)
    }

    @Test(arguments: [
        (#"{"requestId":5,"result":{"outcome":{"outcome":"selected","optionId":"yes"}}}"#, "yes"),
        (#"{"requestId":5,"result":{"outcome":{"outcome":"cancelled"}}}"#, "cancelled"),
        (#"{"requestId":5,"error":{"code":-32603,"message":"no"}}"#, "error"),
        (#"{"requestId":5,"result":{"outcome":{"outcome":"cancelled"}},"by":"jwt a"}"#, nil),
    ])
    @LoopActor func anEditorsAnswerIsLoggedWithItsChoice(answer: String, choice: String?) throws {
        let folder = TemporaryFolder()
        let log = AuditLog(path: folder.path + "/audit", limitBytes: 1 << 20)
        log.record(.stopped, by: .nobody)
        log.recordEditorsAnswer(Array(answer.utf8), in: session)
        let row = try rows("audit", in: folder).first { $0["event"]?.stringValue == "answered" }
        #expect(row?["choice"]?.stringValue == choice)
        #expect(row?["who"]?.stringValue == choice.map { _ in "editor" })
        #expect(row?["requestId"]?.stringValue == choice.map { _ in "5" })
    }

    @Test @LoopActor func theLogAndItsPredecessorStayWithinTheLimit() throws {
        let folder = TemporaryFolder()
        let log = AuditLog(path: folder.path + "/audit", limitBytes: 1000)
        for _ in 0..<100 { log.record(.prompted(session), by: .tokenFile) }
        for name in ["audit", "audit.1"] {
            var status = stat()
            #expect(stat("\(folder.path)/\(name)", &status) == 0)
            #expect((1...1000).contains(status.st_size))
            #expect(
                try rows(name, in: folder).allSatisfy { $0["event"]?.stringValue == "prompted" },
                "each line is complete")
        }
        #expect(log.lostLines == 0)
    }

    @Test @LoopActor func longNamesFromAnAgentAreTruncated() throws {
        let folder = TemporaryFolder()
        let log = AuditLog(path: folder.path + "/audit", limitBytes: 1 << 20)
        let long = String(repeating: "x", count: 1 << 20)
        let name = AuditEvent.SessionName(agent: "a", sessionId: long)
        log.record(.prompted(name), by: .editor)
        log.record(.answered(name, requestId: long, choice: long), by: .editor)
        let rows = try rows("audit", in: folder)
        #expect(rows.count == 2 && rows.allSatisfy { $0.rawText.count < 1500 })
        #expect(rows.allSatisfy { $0["sessionId"]?.stringValue == long.prefix(256) + "…" })
    }

    @Test @LoopActor func aMovedFileIsCreatedAgain() throws {
        let folder = TemporaryFolder()
        let log = AuditLog(path: folder.path + "/audit", limitBytes: 1000)
        log.record(.stopped, by: .tokenFile)
        #expect(rename(folder.path + "/audit", folder.path + "/elsewhere") == 0)
        log.record(.stopped, by: .tokenFile)
        #expect(try rows("audit", in: folder).count == 1)
    }

    @Test @LoopActor func linesThatCannotBeWrittenAreCounted() {
        let folder = TemporaryFolder()
        let log = AuditLog(path: folder.path + "/none/audit", limitBytes: 1000)
        var reasons: [Int32] = []
        log.onLoss = { reasons.append($0.code) }
        log.record(.stopped, by: .tokenFile)
        #expect(log.lostLines == 1)
        #expect(reasons == [ENOENT])
    }
}
