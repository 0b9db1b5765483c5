import Glibc
import JSONScan
import SessionText
import Testing
import Tinyvex

/// Reads the list of kinds that the tests of the page read, too: both must draw the same kinds of update.
@Suite struct RenderedKindTests {
    private static let file =
        #filePath.split(separator: "/").dropLast(2).map { "/" + $0 }.joined() + "/Page/update-kinds.json"

    private func cases() throws -> [JSONValue] {
        let stream = try #require(fopen(Self.file, "r"))
        defer { fclose(stream) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = fread(&bytes, 1, bytes.count, stream)
        return try JSONValue(validating: Array(bytes.prefix(count)))["cases"]?.elements ?? []
    }

    @Test func theTerminalKnowsTheKindsOfUpdateThatThePageKnows() throws {
        let listed = try cases().filter { $0["isUnknown"] == nil }.compactMap { $0["kind"]?.stringValue }
        #expect(Set(listed).sorted() == RenderedKind.allCases.map(\.rawValue).sorted())
    }

    @Test func theTerminalShowsTheWordsOfEachKindOfUpdate() throws {
        for one in try cases() {
            let kind = try #require(one["kind"]?.stringValue)
            let shown = try text(of: one["updates"]?.elements ?? [], kind)
            let words = one["words"]?.elements.compactMap(\.stringValue) ?? []
            #expect(shown.isEmpty == words.isEmpty, "\(kind): \(shown)")
            for word in words { #expect(shown.contains(word), "\(kind): \(shown)") }
        }
    }

    private func text(of updates: [JSONValue], _ kind: String) throws -> String {
        var renderer = SessionRenderer(hasColour: false, remembers: true, showsContents: true)
        var shown = ""
        for update in updates {
            let body = JSONWriter.object { writer in
                writer.member("sessionUpdate", kind)
                for (name, value) in update.members { writer.member(name, value) }
            }
            let params = #"{"params":{"sessionId":"s","update":\#(String(decoding: body, as: UTF8.self))}}"#
            shown += renderer.render(.update, try JSONValue(validating: Array(params.utf8))).text
        }
        return shown
    }

    @Test func anUnknownKindIsNamedOnceAndOnlyWithMemory() throws {
        let beat = try JSONValue(
            validating: Array(#"{"params":{"sessionId":"s","update":{"sessionUpdate":"_x\u001b[2J"}}}"#.utf8))
        var renderer = SessionRenderer(hasColour: false, remembers: true, showsContents: true)
        #expect(renderer.render(.update, beat).text == "update of unknown kind _x<U+001B>[2J\n")
        #expect(renderer.render(.update, beat).text.isEmpty)
        var forgetful = SessionRenderer(hasColour: false, remembers: false, showsContents: true)
        #expect(forgetful.render(.update, beat).text.isEmpty)
    }
}
