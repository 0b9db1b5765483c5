import JSONScan

/// A title for a session whose agent gives it none: the beginning of its first prompt, on one line.
enum PromptTitle {
    static let characterLimit = 60

    /// - Parameter params: of `session/prompt`. Nil when the prompt has no text.
    static func of(params: [UInt8]) -> String? {
        guard let params = try? JSONValue(validating: params), let blocks = params["prompt"]?.elements else {
            return nil
        }
        let text = blocks.lazy.compactMap { $0["text"]?.stringValue }.first { !$0.allSatisfy(\.isWhitespace) }
        guard let text else { return nil }
        let words = text.prefix(characterLimit * 8).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return words.count > characterLimit ? words.prefix(characterLimit - 1) + "…" : words
    }
}
