import TerminalText

/// The reason why a command failed, and its exit status.
package struct Failure: Error, CustomStringConvertible {
    package let message: TerminalText
    package let status: Int32

    package init(message: TerminalText, status: Int32 = 1) {
        self.message = message
        self.status = status
    }

    package var description: String { message.text }

    /// No session has the name, or several do.
    package static let unknownSession: Int32 = 3
    package static let wrongUsage: Int32 = 64
    /// `EX_DATAERR` of sysexits(3): the input has an error.
    package static let invalidInput: Int32 = 65
    /// `EX_CONFIG` of sysexits(3): the configuration file, or a variable with a setting, has an error.
    package static let invalidSettings: Int32 = 78
}
