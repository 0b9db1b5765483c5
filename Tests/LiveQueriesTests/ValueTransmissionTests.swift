import JSONScan
import Testing
import Tinyvex
import WebSocket

@testable import LiveQueries

@Suite struct ValueTransmissionTests {
    private func transmission(_ value: String, mayChunk: Bool = false) -> ValueTransmission {
        ValueTransmission(Array(value.utf8), subId: "a\"b", seq: 7, transitionId: "17", mayChunk: mayChunk)
    }

    /// Takes everything, at most `limit` bytes at a time; returns the messages.
    private func messages(_ transmission: ValueTransmission, limit: Int = .max) throws -> [JSONValue] {
        var transmission = transmission
        var assembler = MessageAssembler(role: .client, limits: MessageLimits(messageBytes: .max))
        while !transmission.isDone {
            var room = limit
            _ = transmission.sendFrame { bytes in
                let count = min(room, bytes.count)
                room -= count
                assembler.append(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
                return count
            }
        }
        var messages: [JSONValue] = []
        while let event = try assembler.next() {
            guard case .text(let message) = event else { continue }
            messages.append(try JSONValue(validating: message))
        }
        return messages
    }

    @Test(arguments: [1, 2, 7, 1000, Int.max])
    func aValueArrivesUnchangedForAnySizeOfWrites(limit: Int) throws {
        for value in ["1", #"{"x":[1.50,"ü"]}"#, "\"\(String(repeating: "long ", count: 30_000))\""] {
            let message = try #require(try messages(transmission(value), limit: limit).first)
            #expect(message["method"]?.stringValue == "tinyvex/data")
            #expect(message["params"]?["subId"]?.stringValue == "a\"b")
            #expect(message["params"]?["seq"]?.int64Value == 7)
            #expect(message["params"]?["value"]?.rawString == value)
        }
    }

    @Test func aClientThatAcceptsChunksReceivesLargeValuesInChunks() throws {
        let value = "\"\(String(repeating: "über\\n", count: 30_000))\""
        let chunks = try messages(transmission(value, mayChunk: true), limit: 1000).map { try #require($0["params"]) }
        #expect(chunks.count == (value.utf8.count + 65_535) / 65_536)
        #expect(chunks.compactMap { $0["part"]?.int64Value } == Array(1...Int64(chunks.count)))
        for chunk in chunks {
            #expect(chunk["total"]?.int64Value == Int64(chunks.count))
            #expect(chunk["seq"]?.int64Value == 7)
            #expect(chunk["transitionId"]?.stringValue == "17")
            #expect((chunk["chunk"]?.stringValue?.utf8.count ?? .max) <= TransitionChunk.limitBytes)
        }
        #expect(chunks.compactMap { $0["chunk"]?.stringValue }.joined() == value)
    }

    @Test(arguments: [0, 1, 2, 3])
    func charactersAreNotSplitBetweenChunks(offset: Int) throws {
        let value = "\"\(String(repeating: "x", count: TransitionChunk.limitBytes - 4 + offset))🍅🍅\""
        let chunks = try messages(transmission(value, mayChunk: true))
        #expect(chunks.count == 2)
        #expect(chunks.compactMap { $0["params"]?["chunk"]?.stringValue }.joined() == value)
    }

    @Test func aSmallValueIsNeverSentInChunks() throws {
        #expect(try messages(transmission("{}", mayChunk: true)).first?["method"]?.stringValue == "tinyvex/data")
    }

    @Test func aTransmissionIsMidFrameUntilTheFrameIsSent() {
        var transmission = transmission("{}")
        #expect(!transmission.isMidFrame)
        #expect(!transmission.sendFrame { _ in 3 })
        #expect(transmission.isMidFrame && !transmission.isDone)
        #expect(transmission.sendFrame { $0.count })
        #expect(!transmission.isMidFrame && transmission.isDone)
    }
}
