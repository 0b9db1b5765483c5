import TestSupport
import Testing

@testable import JSONScan

/// Applies random edits to recorded and hand-written lines. Whether a line is JSON, and where its envelope members are,
/// must match the reference parser.
@Suite struct MutationTests {
    private static let crafted = [
        #"{"id":1,"method":"m","params":{"sessionId":"s","update":{"sessionUpdate":"k","messageId":"i"}}}"#,
        #"{"params":{"update":{"sessionUpdate":"k"},"update":{"messageId":1},"sessionId":"s"},"params":[]}"#,
        #"{"\u006dethod":"session\/update","p\u0061rams":{"s\u0065ssionId":"\ud83d\ude00"}}"#,
        #"[{"a":[1,-0.5e+10,true,false,null]},"é漢😀\ud800",{}]"#,
        #" { "error" : { "code" : -32603 , "message" : "x\ty" } , "id" : "\u0031" , "result" : null } "#,
    ].map { Array($0.utf8) }

    /// Pieces that tend to change one construct into another.
    private static let pieces = [
        "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "\\u006d", "\\ud800", "0", "-", ".", "e", "1", "t", " ", "\n",
        "\u{1}", "é", "漢", "😀", "\"method\":1,", "\"params\":{},", "\"update\":{},", "\"sessionUpdate\":1,", "null",
    ].map { Array($0.utf8) }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func mutatedLinesMatchTheReference(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let lines = try RecordedLines.load().filter { $0.count < 400 } + Self.crafted
        var accepted = 0
        let rounds = 2500
        for _ in 0..<rounds {
            let line = Self.mutate(lines[Int.random(in: 0..<lines.count, using: &generator)], &generator)
            let expected = (try? ReferenceJSON(line)).map(EnvelopeSummary.init(reference:))
            let found = (try? scanEnvelope(line.span)).map(EnvelopeSummary.init)
            #expect(found == expected, "\(String(decoding: line, as: UTF8.self)) \(line)")
            #expect(((try? JSONValue(validating: line)) != nil) == (expected != nil))
            accepted += expected == nil ? 0 : 1
        }
        // The edits are mild enough that both valid and invalid lines occur.
        #expect(accepted > rounds / 10 && accepted < rounds)
    }

    /// Lines that repeat, with changes in their text and sometimes elsewhere.
    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func aScannerThatRemembersFindsTheSame(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let lines = try RecordedLines.load().filter { $0.count < 400 } + Self.crafted
        var scanner = EnvelopeScanner()
        var compared = 0
        for _ in 0..<100 {
            let line = lines[Int.random(in: 0..<lines.count, using: &generator)]
            for _ in 0..<50 {
                let isMutated = Int.random(in: 0..<8, using: &generator) == 0
                let text = isMutated ? Self.mutate(line, &generator) : Self.changingText(line, &generator)
                compared += scanner.hasTemplate ? 1 : 0
                let expected = (try? scanEnvelope(text.span)).map(EnvelopeSummary.init)
                let found = (try? scanner.scan(text.span)).map(EnvelopeSummary.init)
                #expect(found == expected, "\(String(decoding: text, as: UTF8.self)) \(text)")
            }
        }
        #expect(compared > 100)
    }

    /// Inserts a piece into one of the line's strings.
    private static func changingText(_ line: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
        let quotes = line.indices.filter { line[$0] == UInt8(ascii: "\"") }
        guard let quote = quotes.randomElement(using: &generator) else { return line }
        var line = line
        line.insert(contentsOf: pieces[Int.random(in: 0..<pieces.count, using: &generator)], at: quote)
        return line
    }

    private static func mutate(_ line: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
        var line = line
        for _ in 0..<Int.random(in: 0...3, using: &generator) where !line.isEmpty {
            let at = Int.random(in: 0..<line.count, using: &generator)
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: line[at] = UInt8.random(in: 0...255, using: &generator)
            case 1: line.remove(at: at)
            case 2: line.insert(contentsOf: pieces[Int.random(in: 0..<pieces.count, using: &generator)], at: at)
            case 3: line.insert(contentsOf: line[at..<min(line.count, at + 20)], at: at)
            default: line.removeSubrange(at..<min(line.count, at + Int.random(in: 1...20, using: &generator)))
            }
        }
        return line
    }
}
