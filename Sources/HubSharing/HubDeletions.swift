import Diagnostics
import EventLoop
import Glibc
import LogAccess
import Posix
import SessionRecords

/// Deletions by users that the hub does not have. The log notes each one in the transaction that deletes the session, so
/// none is lost if the bridge is killed, however long the hub is away.
@LoopActor struct HubDeletions {
    enum State: Equatable {
        /// The log can have deletions that were not read yet.
        case waiting
        /// A part is being read, deleted at the hub, or forgotten. Meanwhile, the log can have noted more.
        case underWay(hasMore: Bool)
        /// The hub has all deletions.
        case sent
        /// The log cannot be used at present.
        case delayed
    }

    /// Deletions in one transaction of the hub.
    private static let partCount = 100
    /// Bytes of the file of earlier versions: 10,000 numbers.
    private static let oldFileLimitBytes = 200_000

    private let log: LogClient
    private let noting: Noting
    private(set) var state = State.waiting

    /// Whether the log notes deletions.
    @LoopActor private final class Noting {
        var hasBegun = false
        /// The file in which earlier versions stored the deletions.
        private let oldPath: String

        init(oldPath: String) { self.oldPath = oldPath }

        /// Removes the file of earlier versions when the log has its contents.
        func begin(_ log: LogClient, then action: @escaping @LoopActor (Bool) -> Void) {
            let text = orLog("reading the deletions for the hub") { () throws(SystemError) in
                try PrivateFile.read(oldPath, limitBytes: HubDeletions.oldFileLimitBytes)
            }
            let old = (text ?? nil)?.split(separator: 0x0A).compactMap { Int64(String(decoding: $0, as: UTF8.self)) }
            log.write(.noteDeletions(old ?? [])) { [self] answer in
                hasBegun = answer == .deletionsNoted
                if hasBegun, old != nil { unlink(oldPath) }
                action(hasBegun)
            }
        }
    }

    /// The log notes deletions from now on.
    init(_ log: LogClient, oldPath: String) {
        self.log = log
        noting = Noting(oldPath: oldPath)
        noting.begin(log) { _ in }
    }

    // MARK: State

    /// True if the hub has all deletions, as far as the log can be read.
    var areSent: Bool { state == .sent || state == .delayed }

    mutating func noted() {
        if case .underWay = state { state = .underWay(hasMore: true) } else { state = .waiting }
    }

    /// Returns false if they are being sent.
    mutating func begin() -> Bool {
        if case .underWay = state { return false }
        state = .underWay(hasMore: false)
        return true
    }

    /// The log has no more deletions, or had none when it was read.
    mutating func ended() { state = state == .underWay(hasMore: true) ? .waiting : .sent }

    /// A part was sent and forgotten, or the connection was lost meanwhile. The log can have more.
    mutating func stopped() { state = .waiting }

    mutating func delayed() { state = .delayed }

    // MARK: The log

    /// Calls `action` with the next deletions. Nil if the log cannot be used at present.
    func readPart(then action: @escaping @LoopActor ([Int64]?) -> Void) {
        guard noting.hasBegun else {
            return noting.begin(log) { [self] hasBegun in if hasBegun { readPart(then: action) } else { action(nil) } }
        }
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
