import SessionRecords
import Testing

@testable import SessionSearch

@Suite struct SearchedLinesTests {
    /// Pairs of lines that could be taken for each other.
    private static let items: [TimelineItem] = {
        let chunk = #""sessionUpdate":"agent_message_chunk""#
        let updates = [
            #"{\#(chunk),"content":{"type":"text","text":"a"}}"#,
            #"{\#(chunk),"content":{"type":"text","text":"b\n"}}"#,
            #"{\#(chunk),"messageId":"m","content":{"type":"text","text":"a"}}"#,
            #"{\#(chunk),"messageId":"\u006d","content":{"type":"text","text":"c"}}"#,
            #"{\#(chunk),"messageId":null,"content":{"type":"text","text":"d"}}"#,
            #"{\#(chunk),"content":{"text":"first","text":"last"}}"#,
            #"{\#(chunk),"content":{"text":"first"},"content":{"text":"last"}}"#,
            #"{\#(chunk),"content":{"t\u0065xt":"escaped","type":"text"}}"#, #"{\#(chunk),"content":{"text":""}}"#,
            #"{\#(chunk),"content":{"text":7,"name":"a file","uri":"file:///a"}}"#, #"{\#(chunk),"content":"text"}"#,
            #"{\#(chunk),"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}"#, #"{\#(chunk)}"#,
            #"{"content":{"type":"text","text":"a"},"sessionUpdate":"agent_thought_chunk"}"#,
            #"{"sessionUpdate":"plan","entries":[{"content":"x"}]}"#, #"{"sessionUpdate":"usage_update","used":1}"#,
            #"{"sessionUpdate":"tool_call","title":"t","content":{"text":"not a chunk"}}"#,
        ]
        let others = [
            "", "{}", "[]", #"{"method":"session/update","params":{"sessionId":"s2","update":{\#(chunk)}}}"#,
            #"{"method":"session/update","params":{"sessionId":"s2","update":{\#(chunk),"content":{"text":"e"}}}}"#,
            #"{"method":"session/update","params":{"update":7,"update":{\#(chunk),"content":{"text":"f"}}}}"#,
        ]
        let lines = others.enumerated().map { index, line in
            TimelineItem.update(n: Int64(index), seq: Int64(index), ts: 1, line: Array(line.utf8))
        }
        return updates.enumerated().map { Items.update(Int64($0.offset + 10), $0.element) } + lines
            + [Items.prompt(90, "p")]
    }()

    @Test func aTextDoesNotDependOnTheLinesBefore() {
        let alone = Self.items.map { SearchedText($0) }
        for before in Self.items {
            for (index, item) in Self.items.enumerated() {
                var lines = SearchedLines()
                // Twice, so that the scanner has a line to compare with.
                for each in [before, before, item] { _ = lines.text(of: each) }
                #expect(lines.text(of: item) == alone[index])
            }
        }
    }

    @Test func theLastOfTwoMembersCountsAndAnEscapedNameIsTheName() {
        let texts = Self.items.compactMap { SearchedText($0)?.text }
        #expect(texts.filter { $0 == "last" }.count == 2 && texts.contains("escaped") && !texts.contains("first"))
        #expect(texts.contains("a file file:///a") && texts.contains("b\n") && texts.contains("a\nb"))
    }
}
