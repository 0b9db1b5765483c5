/// What the completion scripts share.
enum CompletionSource {
    /// A pipeline that prints the ids of sessions, a line each.
    static let sessions = lines(of: "sessions --json", key: "sessionId")
    /// A pipeline that prints the names of agents, a line each.
    static let agents = lines(of: "agents --json", key: "name")

    /// Takes values of `key` out of JSON lines with tools that are everywhere. Ids and names come from agents: what has
    /// a character that a shell would read something into is not offered.
    private static func lines(of command: String, key: String) -> String {
        "acpbridge \(command) 2>/dev/null | grep -o '\"\(key)\" *: *\"[A-Za-z0-9._:/@+-]*\"' | cut -d '\"' -f 4"
    }

    /// The first sentence of an option's help, without its full stop: what fits into a menu.
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
    /// In single quotes, as one word for sh, bash and zsh.
    var shellQuoted: String { "'\(replacingEach(["'": "'\\''"]))'" }

    func replacingEach(_ replacements: [Character: String]) -> String {
        map { replacements[$0] ?? String($0) }.joined()
    }
}
