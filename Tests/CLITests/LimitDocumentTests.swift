import Glibc
import Invocations
import Testing

@testable import CLI

/// Checks that the document and the help list exactly the existing limits.
@Suite struct LimitDocumentTests {
    private static let file =
        #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined() + "/Protocol/http.md"

    private func document() throws -> [Substring] {
        let stream = try #require(fopen(Self.file, "r"))
        defer { fclose(stream) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = fread(&bytes, 1, bytes.count, stream)
        return String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: "\n")
    }

    @Test func theDocumentHasOneRowPerLimit() throws {
        let rows = try document().drop { $0 != "## Limits" }.dropFirst().prefix { !$0.hasPrefix("## ") }
            .filter { $0.hasPrefix("| `") }.compactMap { $0.split(separator: "`").dropFirst().first }.map(String.init)
        #expect(rows.sorted() == LimitName.allCases.map(\.rawValue).sorted())
    }

    @Test func theHelpNamesEveryLimit() {
        for name in LimitName.allCases { #expect(LimitSetting.help.contains(name.rawValue)) }
        #expect(LimitSetting.help.contains("admission, keep-alive, absence, background and agent-cpu in time (10s)"))
    }
}
