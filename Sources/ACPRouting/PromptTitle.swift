import FieldLimits
import JSONScan

/// The title of a session without a title from its agent: the beginning of its first prompt, on one line.
package enum PromptTitle {
    static let characterLimit = 60

    /// Returns the first text of a prompt that is not only white space.
    ///
    /// - Parameter params: The params of `session/prompt`.
    package static func text(params: [UInt8]) -> String? {
        guard let params = try? JSONValue(validating: params), let blocks = params["prompt"]?.elements else {
            return nil
        }
        return blocks.lazy.compactMap { $0["text"]?.stringValue }.first { !$0.allSatisfy(\.isWhitespace) }
    }

    package static func title(agents title: String?, firstPrompt: String?) -> String? {
        // A title that an earlier version handed over can be longer.
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
