import SessionRecords
import SessionSearch
import Testing

@Suite struct SearchDocumentTests {
    private func texts(_ items: [TimelineItem]) -> [String] { SearchDocument.batch(items).documents.map(\.text) }

    @Test func adjacentChunksAreOneText() {
        let batch = SearchDocument.batch([Items.chunk(1, "hello wor"), Items.chunk(2, "ld")])
        #expect(batch.documents.map(\.text) == ["hello world"])
        #expect(batch.documents.first?.piece(at: 9).n == 2)
        #expect(batch.documents.first?.piece(at: 8).n == 1)
        #expect(batch.reopened == 1)
    }

    @Test func bothSidesOfTheConversationHaveTexts() {
        let call =
            #"{"sessionUpdate":"tool_call","toolCallId":"t","title":"Read a","locations":[{"path":"/src/a.c"}]}"#
        let plan = #"{"sessionUpdate":"plan","entries":[{"content":"Find it"},{"content":"Mend it"}]}"#
        let items = [
            Items.prompt(1, "mend it"), Items.chunk(2, "hm", kind: "agent_thought_chunk"), Items.update(3, call),
            Items.update(4, plan), Items.chunk(5, "done"), Items.chunk(6, "?", kind: "user_message_chunk"),
        ]
        let documents = SearchDocument.batch(items).documents
        #expect(documents.map(\.kind) == [.prompt, .thought, .toolCall, .plan, .message, .userMessage])
        #expect(documents.map(\.text) == ["mend it", "hm", "Read a\n/src/a.c", "Find it\nMend it", "done", "?"])
    }

    @Test func anUpdateWithoutTextDoesNotDivideAMessageAndAPromptDoes() {
        let usage = Items.update(2, #"{"sessionUpdate":"usage_update","used":1,"size":2}"#)
        #expect(texts([Items.chunk(1, "wo"), usage, Items.chunk(3, "rd")]) == ["word"])
        #expect(texts([Items.chunk(1, "wo"), Items.prompt(2, "p"), Items.chunk(3, "rd")]) == ["wo", "p", "rd"])
    }

    @Test func messagesWithDifferentIdsAreApart() {
        let chunks = ["a", "a", "b"].enumerated().map { index, id in
            Items.update(
                Int64(index + 1),
                #"{"sessionUpdate":"agent_message_chunk","messageId":"\#(id)","content":{"type":"text","text":"x"}}"#)
        }
        #expect(texts(chunks) == ["xx", "x"])
    }

    @Test func aLongMessageIsDividedBetweenWords() {
        let items = (1...400).map { Items.chunk(Int64($0), $0.isMultiple(of: 2) ? "rd " : "wo") }
        let documents = SearchDocument.batch(items).documents
        #expect(documents.count > 2)
        #expect(documents.allSatisfy { $0.pieces.count <= SearchDocument.pieceLimit })
        let words = Set(documents.flatMap { $0.text.split(separator: " ") })
        #expect(words.contains("word") && words.isSubset(of: ["word", "wo"]))
        // Every chunk is in a document.
        #expect(Set(documents.flatMap { $0.pieces.map(\.n) }) == Set(1...400))
    }

    /// Each word is whole in one of the documents, wherever the document ends.
    @Test(arguments: [1, 2, 3, 5, 7])
    func noWordIsCut(pieceBytes: Int) {
        let words = (1...2_000).map { "w\($0)x" }
        let text = Array(words.joined(separator: " ").utf8)
        let pieces = stride(from: 0, to: text.count, by: pieceBytes).map { start in
            String(decoding: text[start..<min(start + pieceBytes, text.count)], as: UTF8.self)
        }
        let items = pieces.enumerated().map { Items.chunk(Int64($0.offset + 1), $0.element) }
        let found = Set(texts(items).flatMap { $0.split(separator: " ").map(String.init) })
        #expect(Set(words).subtracting(found).isEmpty)
    }

    /// The index deletes a document by the text that an earlier batch gave.
    @Test func aBatchThatBeginsAtTheReopenedItemContinuesItsDocument() throws {
        let items = (1...300).map { Items.chunk(Int64($0), "part\($0)") }
        for cut in [1, 2, 100, 127, 128, 129, 200, 299] {
            let earlier = SearchDocument.batch(items.prefix(cut))
            guard let reopened = earlier.reopened else { continue }
            let later = SearchDocument.batch(items.dropFirst(Int(reopened) - 1))
            let old = try #require(earlier.documents.last)
            guard old.first == reopened else { continue }
            let new = try #require(later.documents.first)
            #expect(new.first == old.first && new.text(upTo: old.last) == old.text)
        }
    }

    @Test func linesThatAreNotUpdatesHaveNoText() {
        let lines = [
            "", "{}", "[]", #"{"method":"session/update","params":{"update":{"sessionUpdate":"plan"}}}"#, "\u{0}",
        ]
        for line in lines {
            #expect(SearchedText(.update(n: 1, seq: 1, ts: 1, line: Array(line.utf8))) == nil)
            #expect(SearchedText(.entry(n: 1, seq: 0, ts: 1, kind: "prompt", body: Array(line.utf8))) == nil)
        }
        #expect(SearchedText(.entry(n: 1, seq: 0, ts: 1, kind: "turn_end", body: Array("{}".utf8))) == nil)
    }

    @Test func aTextIsCutToWholeCharacters() throws {
        let text = "a" + String(repeating: "é", count: SearchedText.limitBytes)
        let found = try #require(SearchedText(Items.prompt(1, text)))
        #expect(found.text.utf8.count == SearchedText.limitBytes - 1)
        #expect(text.hasPrefix(found.text))
    }
}
