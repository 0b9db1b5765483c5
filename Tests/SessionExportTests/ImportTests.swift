import JSONScan
import SessionRecords
import Testing
import Tinyvex

@testable import SessionExport

private func line(_ session: String, _ update: String) -> String {
    #"{"ts":"2026-01-31T10:30:00.000Z","kind":"update","notification":{"method":"session/update","#
        + #""params":{"sessionId":"\#(session)","update":\#(update)}}}"# + "\n"
}

private func head(_ id: String, of parent: String? = nil) -> String {
    String(decoding: ExportHead(agent: "a", sessionId: id, title: nil, cwd: "/w", parentId: parent).line, as: UTF8.self)
        + "\n"
}

/// The updates of one section.
private func text(_ section: ImportText.Section) -> String {
    section.items.map { item in
        guard case .run(let lines, _, _) = item else { return "?" }
        return String(decoding: lines, as: UTF8.self)
    }.joined()
}

@Suite struct ImportTests {
    private func sections(_ text: String, _ ids: inout ImportIds) throws -> [ImportText.Section] {
        try ImportText(text, ids: &ids).sections
    }

    @Test func aChildIsLinkedToTheNewIdOfItsParent() throws {
        var ids = ImportIds(root: "new")
        let file =
            head("S") + line("S", "{}") + head("C", of: "S") + line("C", "{}") + head("D", of: "C") + line("D", "{}")
        let sections = try sections(file, &ids)
        #expect(sections.map(\.child?.ids.id) == [nil, "new.C", "new.D"])
        #expect(sections.map(\.child?.ids.parentId) == [nil, "new", "new.C"])
        #expect(sections.map(\.child?.cwd) == [nil, "/w", "/w"])
        #expect(sections.map(\.updateCount) == [1, 1, 1])
        for (section, id) in zip(sections, ["new", "new.C", "new.D"]) {
            #expect(text(section).contains(#""sessionId":"\#(id)""#))
        }
    }

    @Test(arguments: ["null", #""done""#, "{}"]) func theEndOfATurnHasTheAgentsAnswer(answer: String) throws {
        var ids = ImportIds(root: "new")
        let end = #"{"ts":"2026-01-31T10:30:00.000Z","kind":"turn_end","data":\#(answer)}"# + "\n"
        let items = try sections(head("S") + end, &ids).flatMap(\.items)
        let bodies = items.map { item in
            if case .entry(_, let body, _) = item { String(decoding: body, as: UTF8.self) } else { "?" }
        }
        #expect(bodies == [answer])
    }

    @Test func aLaterPartContinuesTheChild() throws {
        var ids = ImportIds(root: "new")
        _ = try sections(head("S") + head("C", of: "S"), &ids)
        let later = try sections(line("C", "{}"), &ids)
        #expect(later.count == 1 && later.first?.child == nil)
        #expect(text(try #require(later.first)).contains(#""sessionId":"new.C""#))
    }

    @Test(arguments: [
        (
            #"{"sessionUpdate":"subagent_update","sessionId":"C","title":"C"}"#,
            #"{"sessionUpdate":"subagent_update","sessionId":"new.C","title":"C"}"#
        ),
        (
            #"{"recipientSessionId":"C","sessionUpdate":"session_message","senderSessionId":"S","content":[]}"#,
            #"{"recipientSessionId":"new.C","sessionUpdate":"session_message","senderSessionId":"new","content":[]}"#
        ),
        (
            #"{"sessionUpdate":"state_update","background":[{"type":"terminal"},{"type":"subagent","sessionId":"C"}]}"#,
            #"{"sessionUpdate":"state_update","background":[{"type":"terminal"},{"type":"subagent","sessionId":"new.C"}]}"#
        ),
        (
            #"{"sessionUpdate":"session_message_chunk","senderSessionId":null,"messageId":"C"}"#,
            #"{"sessionUpdate":"session_message_chunk","senderSessionId":null,"messageId":"C"}"#
        ), (#"{"sessionUpdate":"_other","sessionId":"C"}"#, #"{"sessionUpdate":"_other","sessionId":"C"}"#),
    ])
    func idsOfOtherSessionsInAnUpdateAreReplaced(update: String, renamed: String) throws {
        var ids = ImportIds(root: "new")
        let section = try #require(try sections(head("S") + line("S", update), &ids).first)
        #expect(text(section).contains(#"{"sessionId":"new","update":\#(renamed)}"#), "\(text(section))")
    }

    @Test func aChildCanNameTheFirstSession() throws {
        var ids = ImportIds(root: "new")
        let update = #"{"sessionUpdate":"session_message","senderSessionId":"S","recipientSessionId":"C"}"#
        let section = try #require(try sections(head("S") + head("C", of: "S") + line("C", update), &ids).last)
        #expect(text(section).contains(#""senderSessionId":"new","recipientSessionId":"new.C""#))
    }

    @Test(arguments: [
        (["S", "C<X"], #"has the parent "X", which no earlier line begins"#),
        (["S", "C<S", "C<S"], #"begins the session "C" again"#), (["S", "S<S"], #"begins the session "S" again"#),
        (["S", "T"], "begins another session"), (["C<S"], #"has the parent "S", which no earlier line begins"#),
    ])
    func aHeadThatFitsNoSessionIsRefused(heads: [String], reason: String) throws {
        let file = heads.map { words in
            let parts = words.split(separator: "<").map(String.init)
            return head(parts[0], of: parts.dropFirst().first)
        }.joined()
        var ids = ImportIds(root: "new")
        let refusal = #expect(throws: Rejection.self) { try ImportText(file, ids: &ids) }
        #expect(refusal?.message == "line \(heads.count) of text \(reason)")
    }

    @Test func theLimitOfTheIdAndOfTheNumberOfChildrenHold() throws {
        var ids = ImportIds(root: "new")
        _ = try ids.begin(ExportHead(agent: "a", sessionId: "S", title: nil, cwd: nil))
        func child(_ id: String) -> ExportHead {
            ExportHead(agent: "a", sessionId: id, title: nil, cwd: nil, parentId: "S")
        }
        for number in 0..<(ImportIds.childLimit - 1) { _ = try ids.begin(child("\(number)")) }
        var other = ids
        #expect(throws: ExportLine.Fault.self) { try other.begin(child(String(repeating: "x", count: 1_021))) }
        #expect(try ids.begin(child(String(repeating: "x", count: 1_020)))?.id.utf8.count == 1_024)
        #expect(throws: ExportLine.Fault.self) { try ids.begin(child("last")) }
    }
}
