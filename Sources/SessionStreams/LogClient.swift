import EventLoop
import SessionRecords

/// The log as the loop uses it: each request has an action for the answer. The action runs on the loop, after the
/// function that submits the request has returned.
@LoopActor package protocol LogClient: AnyObject {
    /// See ``SessionLog/damaged``.
    var damaged: (path: String, rescuedSessions: Int)? { get }
    /// True if every request has been answered.
    var isIdle: Bool { get }
    /// Called without a request if stored data might not survive a power cut.
    var syncFailed: @LoopActor (LogError) -> Void { get set }
    /// Called without a request if files of the log had lost their names and were put back.
    var filesRestored: @LoopActor ([String]) -> Void { get set }
    /// Called without a request if files of the log have lost their names and cannot be put back. Nothing is stored
    /// then.
    var filesLost: @LoopActor (LogError) -> Void { get set }

    func write(_ request: WriteRequest.Operation, then action: @escaping @LoopActor (Answer) -> Void)
    func read(_ request: ReadRequest.Query, then action: @escaping @LoopActor (Answer) -> Void)
    /// See ``SessionLog/checkFiles()``.
    func checkFiles()
    /// Returns after everything that was submitted is stored or has failed.
    func close()
}
