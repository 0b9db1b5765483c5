import TerminalText

/// Why a command ends without having done what was asked, and with which status.
struct Failure: Error {
    let message: TerminalText
    var status: Int32 = 1

    static let unknownSession: Int32 = 3
    static let wrongUsage: Int32 = 64
}
