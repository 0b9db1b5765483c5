import EventLoop
import SessionRecords

/// The log as the loop uses it: each request has an action for the answer. The action runs on the loop, after the
/// function that submits the request has returned. An append's action can also run before that.
@LoopActor package protocol LogClient: AnyObject {
    /// See ``SessionLog/damaged``.
    var damaged: (path: String, rescuedSessions: Int)? { get }
    /// True if every request has been answered.
    var isIdle: Bool { get }
    /// Called without a request if stored data might not survive a power cut, and with nil if it does again.
    var syncFailed: @LoopActor (LogError?) -> Void { get set }
    /// Called without a request if files of the log had lost their names and were put back.
    var filesRestored: @LoopActor ([String]) -> Void { get set }
    /// Called without a request if files of the log have lost their names and cannot be put back. Nothing is stored
    /// then.
    var filesLost: @LoopActor (LogError) -> Void { get set }

    /// The log of this bridge, without the sessions of others.
    var own: any LogClient { get }
    /// The place of a journal's session.
    func place(of journal: Journal) -> Int64
    /// Call when a session of another bridge has come into memory, for its readers.
    func willFollow()

    func write(_ request: WriteRequest.Operation, then action: @escaping @LoopActor (Answer) -> Void)
    func read(_ request: ReadRequest.Query, then action: @escaping @LoopActor (Answer) -> Void)
    /// See ``SessionLog/checkFiles()``.
    func checkFiles()
    /// Returns after everything that was submitted is stored or has failed.
    func close()
}

/// A log without sessions of other bridges.
extension LogClient {
    package var own: any LogClient { self }
    package func place(of journal: Journal) -> Int64 { journal.sid }
    package func willFollow() {}
}
