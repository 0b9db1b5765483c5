import EventLoop
import Glibc
import JSONScan
import Posix
import Tinyvex

/// A log of each user's actions, one JSON object per line, in a file that only its owner can read.
///
/// `{"ts":"2026-11-21T10:30:00.123Z","event":"attached","who":"token tk_3f9a01c2","connection":"f5eb…","agent":"codex",
/// "sessionId":"s1"}`
///
/// Audit events are rare compared with streamed updates, so each line opens the file again. The file can therefore be
/// moved or deleted at any time. A line that cannot be written is counted and delays no client.
@LoopActor package final class AuditLog {
    private let path: String
    private let limitBytes: Int
    private let time: any TimeSource
    /// Lines that could not be written.
    package private(set) var lostLines = 0

    /// - Parameter limitBytes: past this size the file is renamed to `.1`, which replaces the previous `.1`. Up to
    ///   twice this size is kept.
    package init(path: String, limitBytes: Int, time: any TimeSource = EventLoop.main) {
        self.time = time
        self.path = path
        self.limitBytes = limitBytes
    }

    /// - Parameter connection: the name of the connection that the action came from; nil if it came from none.
    package func record(_ event: AuditEvent, by identity: Identity, connection: String? = nil) {
        let line = JSONWriter.object { writer in
            writer.member("ts", Timestamp.milliseconds(time.dateMilliseconds))
            writer.member("event", event.name)
            writer.member("who", identity.who)
            writer.member("tenant", ifPresent: identity.tenant)
            writer.member("connection", ifPresent: connection)
            event.write(to: &writer)
        }
        if !append(line + [0x0a]) { lostLines += 1 }
    }

    /// Records an answer of the agent's own editor. The answers of other clients are recorded when they arrive, with
    /// the client's identity.
    ///
    /// - Parameter answer: `{"requestId":5,"result":{"outcome":{…}}}`, or with `error` in place of `result`. A member
    ///   `by` means that another client answered; such an answer is not recorded here.
    package func recordEditorsAnswer(_ answer: [UInt8], in session: AuditEvent.SessionName) {
        guard let value = try? JSONValue(validating: answer), value["by"] == nil else { return }
        let outcome = value["result"]?["outcome"]
        let choice =
            outcome?["optionId"]?.stringValue ?? outcome?["outcome"]?.stringValue
            ?? value["result"]?["action"]?.stringValue ?? "error"
        record(.answered(session, requestId: value["requestId"]?.rawString ?? "", choice: choice), by: .editor)
    }

    private func append(_ line: [UInt8]) -> Bool {
        guard var file = open() else { return false }
        if file.size + line.count > limitBytes, file.size > 0 {
            guard rename(path, path + ".1") == 0, let fresh = open() else { return false }
            file = fresh
        }
        return write(file.descriptor.raw, line, line.count) == line.count
    }

    private struct File: ~Copyable {
        let descriptor: Descriptor
        let size: Int
    }

    private func open() -> File? {
        let fd = Glibc.open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard fd >= 0 else { return nil }
        let descriptor = Descriptor(owning: fd)
        var status = stat()
        guard fstat(fd, &status) == 0 else { return nil }
        return File(descriptor: descriptor, size: status.st_size)
    }
}
