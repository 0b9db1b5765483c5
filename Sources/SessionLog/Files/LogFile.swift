/// The paths of one log.
struct LogFile: Sendable {
    let path: String

    var lockPath: String { path + ".lock" }
    var walPath: String { path + "-wal" }
    var spoolPath: String { path + "-spool" }
}
