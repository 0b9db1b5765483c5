import SessionRecords
import Testing

@testable import SessionStore

@Suite struct LinesTests {
    static let text = Array("a\n\nbcd\nefghij\n".utf8)

    @Test(arguments: 1...20)
    func everyRowSizeSplitsAtLinesAndLosesNothing(rowBytes: Int) throws {
        let parts = try RunSplitter.parts(of: Self.text, count: 4, rowBytes: rowBytes)
        #expect(parts.flatMap { Self.text[$0.range] } == Self.text)
        for part in parts {
            let bytes = Self.text[part.range]
            #expect(bytes.last == 10)
            #expect(bytes.count { $0 == 10 } == part.count)
            #expect(bytes.count <= rowBytes || part.count == 1)
        }
    }

    @Test(arguments: [
        ("", 1, 0), ("a", 1, 0), ("a\n", 0, 1), ("a\n", 2, 1), ("a\nb", 1, 1), ("a\nb", 2, 1), ("\n\n", 1, 2),
    ])
    func aMiscountIsRefused(text: String, said: Int, found: Int) {
        #expect(throws: LogError.miscountedRun(said: said, found: found)) {
            try RunSplitter.parts(of: Array(text.utf8), count: said)
        }
        #expect(!RunSplitter.accepts(Array(text.utf8), count: said))
    }

    @Test(arguments: [("", 0), ("\n", 1), ("a\n", 1), ("a\n\nb\n", 3)])
    func theRightCountIsAccepted(text: String, count: Int) throws {
        #expect(RunSplitter.accepts(Array(text.utf8), count: count))
        #expect(try RunSplitter.parts(of: Array(text.utf8), count: count).reduce(0) { $0 + $1.count } == count)
    }

    @Test func anEmptyRunHasNoParts() throws {
        #expect(try RunSplitter.parts(of: [], count: 0).isEmpty)
    }
}
