import ACP
import Coalescing
import JSONCoding
import JSONScan
import TestSupport
import Testing

@Suite struct MergedChunkTests {
    private func merge(_ lines: [[UInt8]], from first: Int64 = 5) -> [UInt8]? {
        let line = lines[0]
        guard var merged = MergedChunk(first: line.span, number: first) else { return nil }
        for line in lines.dropFirst() { merged.append(line.span) }
        return merged.bytes()
    }

    /// The update of the merged line.
    private func update(_ lines: [[UInt8]]) -> String? {
        guard let merged = merge(lines), let value = try? JSONValue(validating: merged) else { return nil }
        return value["params"]?["update"]?.rawString
    }

    @Test(arguments: [
        (
            #"{"sessionUpdate":"k","content":{"type":"text","text":"Hel"}}"#,
            #"{"_meta":{"tinyvex":{"mergedFrom":5,"mergedTo":6}},"sessionUpdate":"k","content":{"type":"text","text":"Hello!"}}"#
        ),
        (
            #"{ "content":{"text" : "Hel" , "type":"text","annotations":{}},"_meta" : {"a":1} , "z":1.50}"#,
            #"{ "content":{"text" : "Hello!" , "type":"text","annotations":{}},"_meta" : {"tinyvex":{"mergedFrom":5,"mergedTo":6},"a":1} , "z":1.50}"#
        ),
        (
            #"{"_meta":null,"content":{"type":"text","text":"Hel"}}"#,
            #"{"_meta":{"tinyvex":{"mergedFrom":5,"mergedTo":6}},"content":{"type":"text","text":"Hello!"}}"#
        ),
        (
            #"{"content":{"type":"text","text":"Hel"},"_meta":{ }}"#,
            #"{"content":{"type":"text","text":"Hello!"},"_meta":{"tinyvex":{"mergedFrom":5,"mergedTo":6}}}"#
        ),
    ])
    func theFirstChunkIsWrittenUnchanged(first: String, expected: String) {
        #expect(update([Updates.line(first), Updates.message("lo!")]) == expected)
    }

    @Test(arguments: [
        #"{"content":{"type":"image","text":"Hel"}}"#, #"{"content":{"type":"text","text":7}}"#,
        #"{"content":{"type":"text"}}"#, #"{"content":"text"}"#, #"{}"#, #"7"#,
        #"{"content":{"type":"text","text":"a","text":"b"}}"#, #"{"content":{"type":"text","text":"a"},"_meta":"x"}"#,
        #"{"content":{"type":"text","text":"a"},"_meta":{"tinyvex":1}}"#,
        #"{"content":{"type":"text","text":"a"},"_meta":{},"_meta":{}}"#,
    ])
    func linesThatCannotBeMergedAreLeftUnchanged(update: String) {
        #expect(merge([Updates.line(update)]) == nil)
        #expect(
            RunScan.isMergeable(Updates.line(#"{"sessionUpdate":"agent_message_chunk",\#(update.dropFirst())"#))
                == false)
    }

    @Test func aCharacterInTwoChunksBecomesOne() {
        let merged = merge([Updates.message(#"\ud83d"#), Updates.message(#"\ude00!"#)])
        let text = merged.flatMap { try? JSONValue(validating: $0) }?["params"]?["update"]?["content"]?["text"]
        #expect(text?.stringValue == "😀!")
    }

    /// A client that does not know merging sees the first chunk with a longer text.
    @Test(arguments: ["agent_message_chunk", "agent_thought_chunk", "user_message_chunk"])
    func aMergedChunkIsAValidACPUpdate(kind: String) throws {
        let merged = try #require(merge(["a", "b", "c"].map { Updates.chunk(kind, $0, messageId: #""m""#) }))
        let params = try #require(JSONValue(validating: merged)["params"]?.rawText)
        let joined = try #require(
            JSONValue(validating: Updates.chunk(kind, "abc", messageId: #""m""#))["params"]?.rawText)
        var update = try decode(params)
        let expected = try decode(joined)
        #expect(update != expected)
        switch update.update {
        case .agentMessageChunk(var chunk):
            chunk.otherMembers = OtherMembers()
            update.update = .agentMessageChunk(chunk)
        case .agentThoughtChunk(var chunk):
            chunk.otherMembers = OtherMembers()
            update.update = .agentThoughtChunk(chunk)
        case .userMessageChunk(var chunk):
            chunk.otherMembers = OtherMembers()
            update.update = .userMessageChunk(chunk)
        default: Issue.record("\(update)")
        }
        #expect(update == expected)
    }

    private func decode(_ params: some Sequence<UInt8>) throws -> ACP.Client.SessionNotification {
        try JSONTextDecoder().decode(ACP.Client.SessionNotification.self, from: Array(params))
    }

    @Test func textAndRangeCoverAllOriginals() throws {
        var random = SeededGenerator(seed: 4)
        let pieces = ["a", "é", "😀", #"\n"#, #"\""#, #"\\"#, #"\u0000"#, #"\u00e9"#, #"\/"#, " ", "{", "]", ":", ""]
        for _ in 0..<300 {
            let texts = (0..<Int.random(in: 1...20, using: &random)).map { _ in
                (0..<Int.random(in: 0...6, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
                    .joined()
            }
            let first = Int64.random(in: 1...1000, using: &random)
            let merged = try #require(merge(texts.map { Updates.message($0, #""m""#) }, from: first))
            let update = try #require(JSONValue(validating: merged)["params"]?["update"])
            let decoded = try texts.map { try JSONValue(validating: Array("\"\($0)\"".utf8)).stringValue ?? "?" }
            #expect(update["content"]?["text"]?.stringValue == decoded.joined())
            #expect(update["messageId"]?.stringValue == "m")
            let range = update["_meta"]?["tinyvex"]
            #expect(range?["mergedFrom"]?.int64Value == first)
            #expect(range?["mergedTo"]?.int64Value == first + Int64(texts.count) - 1)
        }
    }
}

extension RunScan {
    fileprivate static func isMergeable(_ line: [UInt8]) -> Bool {
        var scan = RunScan(.merging, first: 1)
        scan.add(line.span)
        return scan.runs.first?.key != nil
    }
}
