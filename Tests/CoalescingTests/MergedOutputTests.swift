import Coalescing
import JSONScan
import TestSupport
import Testing

/// Merging the updates of ACP version 2.
@Suite struct MergedOutputTests {
    private func merge(_ lines: [[UInt8]]) throws -> JSONValue {
        let first = lines[0]
        var merged = MergedChunk(first: first.span, number: 5)
        for line in lines.dropFirst() { merged?.append(line.span) }
        let bytes = try #require(merged?.bytes())
        return try #require(JSONValue(validating: bytes)["params"]?["update"])
    }

    @Test func theOutputOfATerminalIsDecodedBeforeItIsJoined() throws {
        // "é" in two chunks, each with its own padding.
        let update = try merge([Updates.output("YcM=", of: "t"), Updates.output("qWI=", of: "t")])
        #expect(
            update.rawString
                == #"{"_meta":{"tinyvex":{"mergedFrom":5,"mergedTo":6}},"sessionUpdate":"terminal_output_chunk","#
                + #""terminalId":"t","data":"YcOpYg=="}"#)
    }

    @Test func escapesInBase64AreDecoded() throws {
        let update = try merge([Updates.output(#"\/\/8="#, of: "t"), Updates.output(#"\u002f\u002f8="#, of: "t")])
        #expect(update["data"]?.stringValue == "/////w==")
    }

    @Test func summariesAreMergedLikeMessages() throws {
        let update = try merge([Updates.summary("Hel", of: "c"), Updates.summary("lo", of: "c")])
        #expect(update["content"]?["text"]?.stringValue == "Hello")
        #expect(update["compactionId"]?.stringValue == "c")
    }

    /// A client assembles the same state from the merged updates as from all updates, and each update that is not part
    /// of a run arrives unchanged.
    @Test func aClientAssemblesTheSameStateFromMergedUpdates() throws {
        var random = SeededGenerator(seed: 11)
        var mergedCount = 0
        for _ in 0..<40 {
            let log = (0..<60).map { _ in Self.randomLine(using: &random) }
            let sent = Self.merged(log)
            mergedCount += log.count - sent.count
            #expect(try Assembled(sent) == Assembled(log))
        }
        #expect(mergedCount > 0, "the tested case must occur")
    }

    private static func merged(_ log: [[UInt8]]) -> [[UInt8]] {
        var scan = RunScan(.merging, first: 0)
        for line in log { scan.add(line.span) }
        return scan.runs.flatMap { run -> [[UInt8]] in
            let lines = log[Int(run.first)...Int(run.last)]
            guard run.key != nil, run.count > 1, let first = lines.first,
                var chunk = MergedChunk(first: first.span, number: run.first)
            else { return Array(lines) }
            for line in lines.dropFirst() { chunk.append(line.span) }
            return [chunk.bytes()]
        }
    }

    private static func randomLine(using random: inout SeededGenerator) -> [UInt8] {
        let session = Int.random(in: 0..<8, using: &random) == 0 ? "s1.a" : "s1"
        let id = Bool.random(using: &random) ? "1" : "2"
        switch Int.random(in: 0..<12, using: &random) {
        case 0...4: return Updates.output(randomBase64(using: &random), of: id, session: session)
        case 5...8: return Updates.message("t\(Int.random(in: 0..<9, using: &random))", "\"\(id)\"", session: session)
        case 9:
            return Updates.line(
                #"{"sessionUpdate":"terminal_update","terminalId":"\#(id)","output":{"data":"YWI="}}"#, session)
        case 10:
            return Updates.line(#"{"sessionUpdate":"agent_message","messageId":"\#(id)","content":[]}"#, session)
        default: return Updates.line(#"{"sessionUpdate":"replay_complete"}"#, session)
        }
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")

    private static func randomBase64(using random: inout SeededGenerator) -> String {
        let whole = (0..<4 * Int.random(in: 0...3, using: &random)).map { _ in
            String(alphabet.randomElement(using: &random) ?? "A")
        }
        return whole.joined() + (["", "YQ==", "YWI=", "AA==", "+/8="].randomElement(using: &random) ?? "")
    }
}

/// The state that a client assembles from a stream: the text of each message, the output of each terminal, and the
/// updates that are not chunks with the state at that moment.
private struct Assembled: Equatable {
    private var texts: [String: [UInt8]] = [:]
    private var others: [String] = []

    init(_ lines: [[UInt8]]) throws {
        for line in lines { try apply(JSONValue(validating: line)) }
    }

    private mutating func apply(_ line: JSONValue) throws {
        let update = try #require(line["params"]?["update"])
        let session = line["params"]?["sessionId"]?.stringValue ?? ""
        switch update["sessionUpdate"]?.stringValue {
        case "agent_message_chunk":
            let text = update["content"]?["text"]?.stringBytes ?? []
            texts["\(session) message \(update["messageId"]?.rawString ?? "")", default: []] += text
        case "terminal_output_chunk":
            let data = try decoded(update["data"]?.stringValue ?? "?")
            texts["\(session) terminal \(update["terminalId"]?.rawString ?? "")", default: []] += data
        default:
            let state = texts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined()
            others.append(line.rawString + state)
        }
    }

    /// Bit by bit, so that the decoder has nothing in common with the tested one.
    private func decoded(_ text: String) throws -> [UInt8] {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var bits: [Bool] = []
        for symbol in text where symbol != "=" {
            let value = try #require(alphabet.firstIndex(of: symbol))
            bits += (0..<6).reversed().map { value >> $0 & 1 == 1 }
        }
        return stride(from: 0, to: bits.count / 8 * 8, by: 8).map { start in
            bits[start..<start + 8].reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
        }
    }
}
