import CLI
import Glibc
import Testing

@testable import BridgeSettings

/// Checks that `Protocol/configuration.md` lists exactly the existing settings, and that its example is valid.
@Suite struct ConfigurationDocumentTests {
    private static let file =
        #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined() + "/Protocol/configuration.md"

    private func lines() throws -> [Substring] {
        let stream = try #require(fopen(Self.file, "r"))
        defer { fclose(stream) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = fread(&bytes, 1, bytes.count, stream)
        return String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: "\n")
    }

    @Test func theDocumentHasOneRowPerSettingWithItsVariable() throws {
        let rows = try lines().filter { $0.hasPrefix("| `") }.map { row in
            row.split(separator: "|").filter { $0.contains("`") }.compactMap { cell in
                cell.split(separator: "`").dropFirst().first.map(String.init)
            }
        }
        #expect(rows.map { $0[0] } == ServeSettings.all.map(\.name))
        #expect(rows.map { $0.last } == ServeSettings.all.map { SettingsEnvironment.variable(for: $0.name) })
    }

    @Test func theExampleIsValid() throws {
        let example = try lines().drop { $0 != "```jsonc" }.dropFirst().prefix { $0 != "```" }
        let file = SettingsFile(Array(example.joined(separator: "\n").utf8), path: "f", folder: "")
        #expect(file.faults.isEmpty)
        #expect(file.settings.count == 7)
        _ = try ResolvedSettings(written: [], file: file.settings)
    }
}
