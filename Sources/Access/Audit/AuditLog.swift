import EventLoop
import JSONScan
import Posix
import Tinyvex

/// A log of each user's actions, one JSON object per line, in a file that only its owner can read.
///
/// `{"ts":"2026-11-21T10:30:00.123Z","event":"attached","who":"token tk_3f9a01c2","connection":"f5eb…","agent":"codex",
/// "sessionId":"s1","seq":17,"prev":"9f86…"}`
///
/// The lines form a chain: see ``AuditChain``. Audit events are rare compared with streamed updates, so each line opens
/// the file again. The file can therefore be moved or deleted at any time; the chain continues in the next one. A line
/// that cannot be written is counted and delays no client.
@LoopActor package final class AuditLog {
    private let files: AuditFiles
    private let limitBytes: Int
    private let time: any TimeSource
    private var chain = AuditChain()
    /// The file after the last line of `chain`; nil before the first line of this process.
    private var place: AuditFiles.Place?
    /// Lines that could not be written.
    package private(set) var lostLines = 0
    /// Called with the reason for each line that could not be written.
    package var onLoss: @LoopActor (SystemError) -> Void = { _ in }
    /// Called with the newest line after each ``anchorInterval`` lines, and before the bridge ends. The call must store
    /// the anchor outside the file.
    package var onAnchor: @LoopActor (AuditAnchor) -> Void = { _ in }

    /// Lines between two anchors: what can be removed at the end without a trace.
    static let anchorInterval: Int64 = 100

    /// - Parameters:
    ///   - limitBytes: Past this size the file is renamed to `.1`.
    ///   - retention: Renamed files are kept for at least this time. Nil: only the newest of them is kept, so the log
    ///     takes up to twice `limitBytes`.
    package init(path: String, limitBytes: Int, retention: Duration? = nil, time: any TimeSource = EventLoop.main) {
        self.time = time
        files = AuditFiles(path: path, retention: retention)
        self.limitBytes = limitBytes
    }

    /// - Parameter connection: the name of the connection that the action came from; nil if it came from none.
    package func record(_ event: AuditEvent, by identity: Identity, connection: String? = nil) {
        let isWritten = append { [time, chain = { self.chain }] in
            JSONWriter.object { writer in
                writer.member("ts", Timestamp.milliseconds(time.dateMilliseconds))
                writer.member("event", event.name)
                writer.member("who", identity.who)
                writer.member("tenant", ifPresent: identity.tenant)
                writer.member("connection", ifPresent: connection)
                event.write(to: &writer)
                chain().write(to: &writer)
            }
        }
        if !isWritten {
            let error = SystemError("write \(files.path)")
            lostLines += 1
            onLoss(error)
        }
        switch event {
        case .stopped, .replaced: anchor()
        default: if isWritten, (chain.nextNumber - 1) % Self.anchorInterval == 0 { anchor() }
        }
    }

    /// Reports the newest line. Call before the bridge ends.
    package func anchor() {
        guard chain.nextNumber > 1 else { return }
        onAnchor(AuditAnchor(number: chain.nextNumber - 1, hash: chain.head))
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

    /// - Parameter line: Makes the line without its LF, with the place in the chain.
    private func append(_ line: () -> [UInt8]) -> Bool {
        guard var file = files.open() else { return false }
        // The file has no other writer, unless the program was replaced or the file was exchanged.
        if file.place != place, let last = file.lastLine() ?? (place == nil ? files.lastFullLine() : nil) {
            chain = AuditChain(after: last)
        }
        let text = line()
        if file.place.size + text.count + 1 > limitBytes, file.place.size > 0 {
            guard files.rotate(at: time.dateMilliseconds), let fresh = files.open() else { return false }
            file = fresh
        }
        guard file.append(text + [0x0a]) else { return false }
        chain.appended(text)
        place = AuditFiles.Place(inode: file.place.inode, size: file.place.size + text.count + 1)
        return true
    }
}
