import CommandContext
import TerminalText

/// The first text on the standard output of a daemon that a command has started: a JSON object when the daemon is ready, or
/// the reason why it does not start. The log file cannot carry the reason if the disk is full.
package enum StartReport: Equatable {
    case ready
    case failed(String)

    /// 4 KiB, the size that a pipe accepts in one piece (POSIX, `PIPE_BUF` on Linux). The rest of a longer reason is cut.
    package static let limitBytes = 4 << 10
    private static let prefix = "Error: "

    /// - Parameter bytes: The text; empty if the daemon ended without a report.
    package init?(_ bytes: some Collection<UInt8>) {
        guard let first = bytes.first else { return nil }
        guard first != UInt8(ascii: "{") else {
            self = .ready
            return
        }
        let text = String(decoding: bytes, as: UTF8.self)
        let reason = text.hasPrefix(Self.prefix) ? String(text.dropFirst(Self.prefix.count)) : text
        self = .failed(reason.hasSuffix("\n") ? String(reason.dropLast()) : reason)
    }

    /// The bytes with which a daemon reports an error, at most ``limitBytes``.
    package static func bytes(_ error: any Error) -> [UInt8] {
        let message = (error as? Failure)?.message ?? "\(error)"
        return Array("\(prefix)\(message.text)".utf8.prefix(limitBytes - 1)) + [0x0a]
    }
}
