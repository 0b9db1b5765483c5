import Foundation
import Testing

@Suite struct ArticleTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    private static let repository = folder.appending(path: "../../..").standardized
    private static let articles = [
        "Sources/TinyvexClient/TinyvexClient.docc/TinyvexClient.md",
        "Sources/TinyvexClient/TinyvexClient.docc/GettingStarted.md",
        "Sources/TinyvexClient/TinyvexClient.docc/SwiftUI.md",
        "Sources/TinyvexClient/TinyvexClient.docc/OfflineAndBackground.md",
        "Sources/TinyvexClient/TinyvexClient.docc/Errors.md",
        "Sources/TinyvexClient/TinyvexClient.docc/MovingFromConvex.md", "README.md",
    ]

    private static func text(of file: URL) throws -> String { try String(contentsOf: file, encoding: .utf8) }

    /// Ignores line breaks, because the formatter chooses them.
    private static func inOneLine(_ text: some StringProtocol) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// The Swift code in an article, without imports and `@main`. The code of a package manifest is excluded, because it is
    /// not part of a program, and that of `ConvexCompatibility`, which has tests of its own.
    private static func snippets(_ article: String) -> [String] {
        article.components(separatedBy: "```swift\n").dropFirst()
            .compactMap { $0.components(separatedBy: "```").first }
            .filter { !$0.hasPrefix("// swift-tools-version") && !$0.hasPrefix("import ConvexCompatibility") }
            .map {
                $0.replacing("@main ", with: "").split(separator: "\n").filter { !$0.hasPrefix("import ") }.joined(
                    separator: "\n")
            }
    }

    @Test(arguments: articles) func theCodeOfEveryArticleIsCompiled(article: String) throws {
        let files = try ["ArticleCode.swift", "SwiftUIArticleCode.swift"].map {
            try Self.text(of: Self.folder.appending(path: $0))
        }
        let code = Self.inOneLine(files.joined(separator: "\n"))
        let snippets = Self.snippets(try Self.text(of: Self.repository.appending(path: article)))
        #expect(!snippets.isEmpty)
        for snippet in snippets { #expect(code.contains(Self.inOneLine(snippet)), "\(snippet)") }
    }
}
