import ArgumentParsing

/// Options of `acpbridge export`.
package struct ExportOptions: Equatable, Sendable {
    /// The session as the user names it: see ``AttachOptions/session``.
    package var session: String
    /// Nil for the format of the file's name.
    package var format: ExportFormat?
    /// The file to write; nil means stdout.
    package var output: String?
    /// POSIX extended regular expressions of texts to hide.
    package var redact: [String]
    /// Hide tokens of known forms.
    package var hidesTokens: Bool
    package var connection: ConnectionOptions

    package init(
        session: String, format: ExportFormat? = nil, output: String? = nil, redact: [String] = [],
        hidesTokens: Bool = true, connection: ConnectionOptions = ConnectionOptions()
    ) {
        self.session = session
        self.format = format
        self.output = output
        self.redact = redact
        self.hidesTokens = hidesTokens
        self.connection = connection
    }
}

extension ExportOptions {
    /// The chosen format, or that of the file's name, or else NDJSON.
    package var fileFormat: ExportFormat {
        if let format { return format }
        let ending = output?.split(separator: "/").last?.split(separator: ".").dropFirst().last
        return switch ending?.lowercased() {
        case "md", "markdown": .markdown
        case "html", "htm": .html
        case "cast": .asciicast
        default: .ndjson
        }
    }
}

/// The format of an exported session.
package enum ExportFormat: String, CaseIterable, Sendable {
    /// One JSON object per entry of the timeline; the only format that can be imported.
    case ndjson
    case markdown
    /// A terminal recording, asciicast version 2.
    case asciicast
    /// One file without scripts.
    case html

    /// A file of this format contains the session's subagents.
    package var hasSubagents: Bool { self != .asciicast }
}

extension ExportFormat: ArgumentValue {}

/// Options of `acpbridge import`.
package struct ImportOptions: Equatable, Sendable {
    /// The file that `acpbridge export` wrote.
    package var file: String
    /// The name of the session's agent; nil means the one in the file.
    package var agent: String?
    /// Check the file, and store nothing.
    package var check: Bool
    package var json: Bool
    package var connection: ConnectionOptions

    package init(
        file: String, agent: String? = nil, check: Bool = false, json: Bool = false,
        connection: ConnectionOptions = ConnectionOptions()
    ) {
        self.file = file
        self.agent = agent
        self.check = check
        self.json = json
        self.connection = connection
    }
}
