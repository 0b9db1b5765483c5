import JSONScan
import SessionLog

/// A title for a session whose agent gives it none: the beginning of its first prompt, on one line.
enum PromptTitle {
    static let characterLimit = 60

    /// The first text of a prompt that is more than white space.
    ///
    /// - Parameter params: of `session/prompt`.
    static func text(params: [UInt8]) -> String? {
        guard let params = try? JSONValue(validating: params), let blocks = params["prompt"]?.elements else {
            return nil
        }
        return blocks.lazy.compactMap { $0["text"]?.stringValue }.first { !$0.allSatisfy(\.isWhitespace) }
    }

    static func title(agents title: String?, firstPrompt: String?) -> String? {
        // One that an earlier version handed over may be longer.
        if let title, !title.isEmpty { return title.prefix(scalars: FieldLimit.titleCharacters) }
        return firstPrompt.flatMap(short)
    }

    private static func short(_ text: String) -> String? {
        let words = text.prefix(scalars: characterLimit * 8).split(whereSeparator: \.isWhitespace)
            .joined(separator: " ")
        guard !words.isEmpty else { return nil }
        return words.count > characterLimit ? words.prefix(characterLimit - 1) + "…" : words
    }
}
