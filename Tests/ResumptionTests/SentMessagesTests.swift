import Resumption
import Testing

@Suite struct SentMessagesTests {
    private func message(_ number: Int64) -> [UInt8] { Array("message \(number)".utf8) }

    private func sent(_ count: Int64, limitBytes: Int = 1 << 20) -> SentMessages {
        var sent = SentMessages(limitBytes: limitBytes)
        for number in 1...count { sent.append(message(number)) }
        return sent
    }

    @Test func acknowledgedMessagesAreDropped() throws {
        var sent = sent(5)
        try sent.acknowledge(3)
        #expect(sent.count == 5)
        #expect(Array(sent.messages(after: 3)) == [message(4), message(5)])
        try sent.acknowledge(5)
        #expect(sent.isEmpty)
        #expect(sent.byteCount == 0)
        sent.append(message(6))
        #expect(sent.count == 6)
        #expect(Array(sent.messages(after: 5)) == [message(6)])
    }

    @Test(arguments: [Int64(0), 1, 2, 3]) func missingMessagesAreReturnedFromAnyNumber(count: Int64) {
        #expect(Array(sent(3).messages(after: count)) == (count..<3).map { message($0 + 1) })
    }

    @Test func impossibleReceiptsAreRefused() throws {
        var sent = sent(2)
        #expect(throws: SentMessages.Disagreement.neverSent) { try sent.acknowledge(3) }
        try sent.acknowledge(2)
        #expect(throws: SentMessages.Disagreement.forgotten) { try sent.acknowledge(1) }
        try sent.acknowledge(2)
    }

    @Test func frequentAndRareReceiptsLeaveTheSameMessages() throws {
        for step in [1, 2, 3, 7, 300] as [Int64] {
            var sent = SentMessages(limitBytes: 1)
            for number in Int64(1)...1000 {
                sent.append(message(number))
                if number.isMultiple(of: step) { try sent.acknowledge(number - 1) }
            }
            let rest = sent.messages(after: sent.acknowledgedCount)
            #expect(Array(rest) == ((sent.acknowledgedCount + 1)...1000).map(message))
            #expect(sent.byteCount == rest.reduce(0) { $0 + $1.count })
        }
    }

    @Test func aFullBufferStillAcceptsMessages() throws {
        var sent = sent(1, limitBytes: 9)
        #expect(sent.isFull)
        sent.append(message(2))
        try sent.acknowledge(2)
        #expect(!sent.isFull)
    }

    @Test(
        arguments: [
            ("0", 0), ("7", 7), ("007", 7), ("999999999999999999", 999_999_999_999_999_999), ("", nil), ("-1", nil),
            ("1000000000000000000", nil), ("+1", nil), ("1.0", nil), (" 1", nil), ("1\n", nil),
        ] as [(String, Int64?)])
    func aReceiptIsDecimalDigits(text: String, count: Int64?) {
        #expect(Receipt.count(text.utf8) == count)
    }
}
