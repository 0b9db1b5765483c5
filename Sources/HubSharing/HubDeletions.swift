import Diagnostics
import EventLoop
import Glibc
import LogAccess
import Posix
import SessionRecords

/// Deletions by users that the hub does not have. The log notes each one in the transaction that deletes the session, so
/// none is lost if the bridge is killed, however long the hub is away.
@LoopActor struct HubDeletions {
    /// Deletions in one transaction of the hub.
    private static let partCount = 100
    /// Bytes of the file of earlier versions: 10,000 numbers.
    private static let oldFileLimitBytes = 200_000

    private let log: LogClient
    /// A part is being read, deleted at the hub, or forgotten.
    var isUnderWay = false
    /// The log can have deletions that were not read yet.
    var mayWait = true

    var areSent: Bool { !isUnderWay && !mayWait }

    /// The log notes deletions from now on.
    ///
    /// - Parameter oldPath: the file in which earlier versions stored the deletions. It is removed when the log has its contents.
    init(_ log: LogClient, oldPath: String) {
        self.log = log
        let text = orLog("reading the deletions for the hub") { () throws(SystemError) in
            try PrivateFile.read(oldPath, limitBytes: Self.oldFileLimitBytes)
        }
        let old = (text ?? nil)?.split(separator: 0x0A).compactMap { Int64(String(decoding: $0, as: UTF8.self)) }
        log.write(.noteDeletions(old ?? [])) { answer in
            if old != nil, case .deletionsNoted = answer { unlink(oldPath) }
        }
    }

    /// Calls `action` with the next deletions. Nil if the log cannot be read at present.
    func readPart(then action: @escaping @LoopActor ([Int64]?) -> Void) {
        log.read(.deletions(limit: Self.partCount)) { answer in
            guard case .deletions(let sids) = answer else { return action(nil) }
            action(sids)
        }
    }

    /// Calls `action` with false if the log cannot be written at present.
    func forget(_ sids: [Int64], then action: @escaping @LoopActor (Bool) -> Void) {
        log.write(.forgetDeletions(sids)) { answer in action(answer == .deletionsNoted) }
    }
}
