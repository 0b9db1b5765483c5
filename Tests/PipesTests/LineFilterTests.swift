import JSONRPC
import Testing

@testable import Pipes

@Suite struct LineFilterTests {
    private func pass(
        _ filter: inout LineFilter, _ text: String, withholding word: String? = nil, for replacement: String? = nil
    ) -> String {
        var passed: [UInt8] = []
        Array(text.utf8).withUnsafeBytes { chunk in
            if let word {
                filter.pass(chunk) { line in
                    let text = line.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
                    return text == word ? replacement.map { .replaced(by: Array($0.utf8)) } ?? .withheld : .forwarded
                } to: {
                    passed += $0
                }
            } else {
                filter.pass(chunk) { passed += $0 }
            }
        }
        return String(decoding: passed, as: UTF8.self)
    }

    @Test func allBytesPassWhenNoLineIsFiltered() {
        var filter = LineFilter(limitBytes: 100)
        #expect(pass(&filter, "a\nb") == "a\nb")
        #expect(filter.isMidLine)
        #expect(pass(&filter, "\r\n\n") == "\r\n\n")
        #expect(!filter.isMidLine)
    }

    /// For any division into chunks, the same lines are left out and every other byte passes.
    @Test(arguments: 0...17) func aWithheldLineIsRemovedForAnyDivisionIntoChunks(cut: Int) {
        let text = "one\ntwo\nthree\ntwo\n"
        var filter = LineFilter(limitBytes: 100)
        let first = pass(&filter, String(text.prefix(cut)), withholding: "two")
        let second = pass(&filter, String(text.dropFirst(cut)), withholding: "two")
        #expect(first + second == "one\nthree\n")
    }

    @Test(arguments: 0...13) func aLineIsReplacedForAnyDivisionIntoChunks(cut: Int) {
        let text = "one\ntwo\nthree\n"
        var filter = LineFilter(limitBytes: 100)
        let first = pass(&filter, String(text.prefix(cut)), withholding: "two", for: "2")
        let second = pass(&filter, String(text.dropFirst(cut)), withholding: "two", for: "2")
        #expect(first + second == "one\n2\nthree\n")
    }

    @Test func theRestOfAPartlyPassedLinePasses() {
        var filter = LineFilter(limitBytes: 100)
        #expect(pass(&filter, "t") == "t")
        #expect(pass(&filter, "w", withholding: "two") == "w")
        #expect(pass(&filter, "o\ntwo\nx\n", withholding: "two") == "o\nx\n")
    }

    @Test func heldBytesPassWhenFilteringEnds() {
        var filter = LineFilter(limitBytes: 100)
        #expect(pass(&filter, "tw", withholding: "two") == "")
        #expect(!filter.isMidLine)
        #expect(pass(&filter, "o\n") == "two\n")
    }

    @Test func aLineOverTheLimitPassesUnfiltered() {
        var filter = LineFilter(limitBytes: 3)
        #expect(pass(&filter, "long", withholding: "long line") == "long")
        #expect(filter.isMidLine)
        #expect(pass(&filter, " line\n", withholding: "long line") == " line\n")
    }
}
