import TerminalText

/// The reason why a command failed, and its exit status.
struct Failure: Error {
    let message: TerminalText
    var status: Int32 = 1

    static let unknownSession: Int32 = 3
    static let wrongUsage: Int32 = 64
}
