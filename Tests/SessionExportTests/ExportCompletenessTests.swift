import JSONScan
import Testing
import Tinyvex

@testable import SessionExport

private let entry = #"{"ts":"2026-01-31T10:30:00.000Z","kind":"turn_end","data":{}}"#

private func head(announcesEnd: Bool) -> String {
    let head = ExportHead(agent: "a", sessionId: "S", title: nil, cwd: nil, announcesEnd: announcesEnd)
    return String(decoding: head.line, as: UTF8.self)
}

/// A whole export with two entries.
private func exported() -> [String] {
    var document = NDJSONDocument()
    let bytes =
        document.begin(ExportHead(agent: "a", sessionId: "S", title: nil, cwd: nil, announcesEnd: true))
        + document.add(Array(entry.utf8)) + document.add(Array(entry.utf8)) + document.finish()
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
}

/// Returns the reason why the lines are incomplete.
private func check(_ lines: some Sequence<String>) throws -> String? {
    var completeness = ExportCompleteness()
    for line in lines { try completeness.add(try ExportLine(Array(line.utf8))) }
    return completeness.finish()
}

@Suite struct ExportCompletenessTests {
    @Test func anExportEndsWithTheNumberOfItsLines() throws {
        #expect(exported().last == #"{"kind":"end","lines":3}"#)
        #expect(try check(exported()) == nil)
    }

    @Test func anExportThatIsCutBetweenTwoLinesIsIncomplete() throws {
        for count in 1..<exported().count {
            #expect(try check(exported().prefix(count))?.contains("after \(count) lines") == true)
        }
    }

    @Test func anExportOfAnEarlierVersionHasNoEnd() throws {
        #expect(try check([head(announcesEnd: false), entry]) == nil)
        #expect(try check([entry]) == nil)
    }

    @Test func aLineThatIsMissingBeforeTheEndIsAFault() throws {
        var lines = exported()
        lines.remove(at: 1)
        #expect(throws: ExportLine.Fault.self) { try check(lines) }
    }

    @Test func noLineFollowsTheEnd() {
        #expect(throws: ExportLine.Fault.self) { try check(exported() + [entry]) }
    }

    @Test func theBridgeIgnoresTheEnd() throws {
        var ids = ImportIds(root: "new")
        let sections = try ImportText(exported().joined(separator: "\n"), ids: &ids).sections
        #expect(sections.map(\.entryCount) == [2])
    }

    @Test func aChildSessionAnnouncesNoEnd() {
        let child = ExportHead(agent: "a", sessionId: "C", title: nil, cwd: nil, parentId: "S")
        #expect(!String(decoding: child.line, as: UTF8.self).contains("end"))
    }
}
