import EventLoop
import Glibc
import JSONScan
import Tinyvex

/// Who did what, one JSON object a line, in a file that its user alone may read.
///
/// `{"ts":"2026-11-21T10:30:00.123Z","event":"attached","who":"token tk_3f9a01c2","connection":"f5eb…","agent":"codex",
/// "sessionId":"s1"}`
///
/// What happens here is rare next to what is streamed, so each line opens the file anew: it may be moved away or deleted
/// at any time. A line that cannot be written is counted, and holds nobody up.
@LoopActor final class AuditLog {
    private let path: String
    private let limitBytes: Int
    /// Lines that could not be written.
    private(set) var lostLines = 0

    /// - Parameter limitBytes: past it the file becomes `.1`, and the `.1` that was is gone: twice as much is kept.
    init(path: String, limitBytes: Int) {
        self.path = path
        self.limitBytes = limitBytes
    }

    /// - Parameter connection: the name of the connection on which it was done, where it was done on one.
    func record(_ event: AuditEvent, by identity: Identity, connection: String? = nil) {
        let line = JSONWriter.object { writer in
            writer.member("ts", Timestamp.milliseconds(wallClockMilliseconds()))
            writer.member("event", event.name)
            writer.member("who", identity.who)
            writer.member("tenant", ifPresent: identity.tenant)
            writer.member("connection", ifPresent: connection)
            event.write(to: &writer)
        }
        if !append(line + [0x0a]) { lostLines += 1 }
    }

    /// Writes down what the agent's own editor has answered. Others are written down where they ask, with who they are.
    ///
    /// - Parameter answer: `{"requestId":5,"result":{"outcome":{…}}}`, or with `error` for `result`; `by` names another.
    func recordEditorsAnswer(_ answer: [UInt8], in session: AuditEvent.SessionName) {
        guard let value = try? JSONValue(validating: answer), value["by"] == nil else { return }
        let outcome = value["result"]?["outcome"]
        let choice = outcome?["optionId"]?.stringValue ?? outcome?["outcome"]?.stringValue ?? "error"
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
