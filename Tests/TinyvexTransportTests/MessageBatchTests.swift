import Testing
import TinyvexTransport

@Suite struct MessageBatchTests {
    private func batch(_ texts: String..., binary: String? = nil) -> MessageBatch {
        var batch = MessageBatch()
        for text in texts { batch.append(Array(text.utf8)) }
        if let binary { batch.keep(binary: Array(binary.utf8)) }
        return batch
    }

    private func texts(_ batch: MessageBatch) -> [String] {
        (0..<batch.count).map { String(decoding: batch.bytes[batch[$0]], as: UTF8.self) }
    }

    @Test func joinedBatchesKeepEachMessageInOrder() {
        var joined = batch("a", "")
        joined.append(batch("bb", "c"))
        #expect(texts(joined) == ["a", "", "bb", "c"])
    }

    @Test func aBatchJoinedToAnEmptyOneIsUnchanged() {
        var joined = MessageBatch()
        joined.append(batch("a", binary: "1"))
        #expect(texts(joined) == ["a"])
        #expect(joined.lastBinary == Array("1".utf8))
    }

    @Test func theLastBinaryMessageIsKept() {
        var joined = batch("a", binary: "1")
        joined.append(batch("b"))
        #expect(joined.lastBinary == Array("1".utf8))
        joined.append(batch("c", binary: "2"))
        #expect(joined.lastBinary == Array("2".utf8))
    }

    @Test func aBatchWithOnlyABinaryMessageIsNotEmpty() {
        #expect(MessageBatch().isEmpty)
        #expect(!batch(binary: "1").isEmpty)
        #expect(batch(binary: "1").count == 0)
    }
}
