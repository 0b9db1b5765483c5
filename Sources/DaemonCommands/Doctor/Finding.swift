import JSONScan

/// One result of `acpbridge doctor`.
struct Finding: Equatable {
    enum Level: String {
        case ok
        /// Something to know; nothing is wrong.
        case note
        /// Something works only in part, or will stop working.
        case warning
        /// Something does not work.
        case fault
    }

    let level: Level
    /// The part that was checked, one word.
    let subject: String
    /// Without a full stop.
    let text: String
    /// The command or action that changes the finding; nil if there is none.
    let fix: String?

    init(_ level: Level, _ subject: String, _ text: String, fix: String? = nil) {
        self.level = level
        self.subject = subject
        self.text = text
        self.fix = fix
    }

    /// `{"level":"fault","subject":"disk","text":"…","fix":"…"}`
    var json: [UInt8] {
        JSONWriter.object { writer in
            writer.member("level", level.rawValue)
            writer.member("subject", subject)
            writer.member("text", text)
            writer.member("fix", ifPresent: fix)
        }
    }
}
