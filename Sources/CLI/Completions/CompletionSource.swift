import ArgumentParsing

/// Parts that the completion scripts share.
enum CompletionSource {
    /// A pipeline that prints the ids and titles of all sessions, one per line. It starts no bridge.
    static let sessions = sessions(of: "sessions --all --json")
    /// The same for the sessions whose agents run, and for those that have ended.
    static let runningSessions = sessions(of: "sessions --json")
    static let endedSessions = sessions(of: "sessions --all --json", with: "\"live\":false")

    /// A pipeline that prints the names of agents, one per line.
    static let agents = lines(of: "agents --json", keys: "name")

    /// A pipeline that prints the names of the peers, one per line. It starts no bridge. `peers` is an array of objects.
    static let bridges =
        "acpbridge status --json 2>/dev/null | grep -oE '\"peers\" *: *\\[[^]]*\\]' | " + values(of: "name")

    /// A pipeline that prints the settings of a session, one per line. It starts no bridge.
    ///
    /// - Parameter session: The shell's expression for the session.
    static func settings(of session: String) -> String {
        "acpbridge set --json -- \(session) 2>/dev/null | " + values(of: "setting")
    }

    /// The same for the values of a setting. Those of a boolean are no strings in JSON.
    static func settingValues(of setting: String, of session: String) -> String {
        "acpbridge set --json -- \(session) \(setting) 2>/dev/null | "
            + "grep -oE '\"value\" *: *(\"[A-Za-z0-9._:/@+-]+\"|true|false)' | cut -d : -f 2- | tr -d ' \"' | sort -u"
    }

    private static func sessions(of command: String, with member: String? = nil) -> String {
        "acpbridge status >/dev/null 2>&1 && " + lines(of: command, with: member, keys: "sessionId|title")
    }

    /// Extracts the values of `keys` from JSON lines with standard tools. Agents choose ids, names and titles, so a value
    /// with a space, or with a character that is special to a shell, is not offered.
    ///
    /// - Parameter member: Only lines with this text count; nil for all lines.
    private static func lines(of command: String, with member: String? = nil, keys: String) -> String {
        let selected = member.map { " | grep '\($0)'" } ?? ""
        return "acpbridge \(command) 2>/dev/null\(selected) | " + values(of: keys)
    }

    private static func values(of keys: String) -> String {
        "grep -oE '\"(\(keys))\" *: *\"[A-Za-z0-9._:/@+-]+\"' | cut -d '\"' -f 4"
    }

    /// The first sentence of an option's help without its full stop, because menus have little space.
    static func summary(_ help: String) -> String {
        var words: [Substring] = []
        for word in help.split(separator: " ") {
            words.append(word)
            if word.hasSuffix("."), word != words.first { break }
        }
        let sentence = words.joined(separator: " ")
        return sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
    }
}

extension String {
    /// The text in single quotes: one word for sh, bash and zsh.
    var shellQuoted: String { "'\(replacingEach(["'": "'\\''"]))'" }

    func replacingEach(_ replacements: [Character: String]) -> String {
        map { replacements[$0] ?? String($0) }.joined()
    }
}
