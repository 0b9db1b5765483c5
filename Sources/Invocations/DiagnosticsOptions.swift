import ArgumentParsing

/// Options of the daemon's own log. It is not the session log, which stores the agents' updates.
package struct DiagnosticsOptions: Equatable, Sendable {
    package var level = Level.warning
    package var format = Format.text
    /// The file to append to; nil for stderr.
    package var file: String?

    package init(level: Level = .warning, format: Format = .text, file: String? = nil) {
        self.level = level
        self.format = format
        self.file = file
    }

    /// The least important events that are logged.
    package enum Level: String, CaseIterable, Sendable {
        case error, warning, info, debug
    }

    package enum Format: String, CaseIterable, Sendable {
        /// logfmt.
        case text
        /// One JSON object per line.
        case json
        /// Events with fields in systemd's journal. Excludes `file`.
        case journald
    }
}

extension DiagnosticsOptions.Format: ArgumentValue {}
extension DiagnosticsOptions.Level: ArgumentValue {}
