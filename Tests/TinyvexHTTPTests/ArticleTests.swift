import Foundation
import Testing
import TinyvexClient
import TinyvexHTTP

/// The code of the article *TinyvexHTTP*. It is only compiled.
enum ArticleCode {
    struct Row: Decodable, Sendable { var sessionId: String }

    static func calls(url: URL, token: String) async throws {
        let client = TinyvexHTTPClient(endpoint: url, authToken: token)
        let rows = try await client.query("sessions:list", params: ["live": true], as: [Row].self)
        try await client.mutation("sessions:setTitle", args: ["sessionId": "s1", "title": "Fix the login test"])
        show(rows)
    }

    static func busy(client: TinyvexHTTPClient) async throws {
        do {
            try await client.mutation("sessions:archive", args: ["sessionId": "s1"])
        } catch {
            guard let delay = error.retryAfter else { throw error }
            try await Task.sleep(for: delay)
        }
    }

    static func polling(client: TinyvexHTTPClient) async throws {
        for try await rows in client.poll("sessions:list", every: .seconds(5), upTo: .seconds(60), as: [Row].self) {
            show(rows)
        }
    }

    static func files(client: TinyvexHTTPClient, photo: URL) async throws {
        let id = try await client.files.upload(contentsOf: photo, contentType: "image/jpeg") { show($0.fraction) }
        try await client.action("sessions:prompt", args: SessionPrompt("s1", [.text("What is this?"), .image(id)]))
    }

    private static func show(_ rows: [Row]) {}
    private static func show(_ fraction: Double) {}
}

@Suite struct ArticleTests {
    private static let repository = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        .standardized

    /// Ignores line breaks, because the formatter chooses them.
    private static func inOneLine(_ text: some StringProtocol) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    @Test func theCodeOfTheArticleIsCompiled() throws {
        let article = try String(
            contentsOf: Self.repository.appending(path: "Sources/TinyvexHTTP/TinyvexHTTP.docc/TinyvexHTTP.md"),
            encoding: .utf8)
        let code = Self.inOneLine(try String(contentsOf: URL(filePath: #filePath), encoding: .utf8))
        let snippets = article.components(separatedBy: "```swift\n").dropFirst()
            .compactMap { $0.components(separatedBy: "```").first }
        #expect(snippets.count == 4)
        for snippet in snippets { #expect(code.contains(Self.inOneLine(snippet)), "\(snippet)") }
    }
}
