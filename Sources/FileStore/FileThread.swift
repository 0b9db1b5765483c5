import EventLoop

/// The thread that owns the stored files.
///
/// The number of jobs is bounded by their callers: each connection has one at a time, except an upload, whose waiting
/// bytes are bounded by ``FileUpload/waitingLimitBytes``.
typealias FileThread = JobThread<FileShelf>
