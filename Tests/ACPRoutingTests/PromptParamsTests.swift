import JSONScan
import Testing

@testable import ACPRouting

@Suite struct PromptParamsTests {
    private let limitBytes = 1 << 20

    private func bounded(_ params: [UInt8]) -> [UInt8] { PromptParams.bounded(params, to: limitBytes) }

    private func params(_ blocks: String...) -> [UInt8] {
        Array("{\"sessionId\":\"s1\",\"prompt\":[\(blocks.joined(separator: ","))],\"_meta\":{},\"by\":\"jwt a\"}".utf8)
    }

    private func text(_ text: String) -> String { "{\"type\":\"text\",\"text\":\"\(text)\"}" }

    private func image(_ count: Int) -> String {
        "{\"type\":\"image\",\"mimeType\":\"image/png\",\"data\":\"\(String(repeating: "A", count: count))\"}"
    }

    @Test func shortParamsStayAsTheyAre() {
        let short = params(text("hello"), image(900_000))
        #expect(bounded(short) == short)
        let invalid = [UInt8](repeating: 0x7b, count: 2 << 20)
        #expect(bounded(invalid) == invalid)
    }

    @Test func ofLongParamsTheBlocksThatFitAreKept() throws {
        let long = params(text("what is wrong"), image(2_000_000), image(10), text("here?"))
        let kept = try JSONValue(validating: bounded(long))
        #expect(kept["sessionId"]?.stringValue == "s1" && kept["omittedBytes"]?.int64Value == Int64(long.count))
        #expect(kept["by"]?.stringValue == "jwt a")
        #expect(kept["prompt"]?.elements.map { $0["type"]?.stringValue } == ["text", "image", "text"])
        #expect(kept["prompt"]?.elements.compactMap { $0["text"]?.stringValue } == ["what is wrong", "here?"])
    }

    @Test func ofALongTextTheBeginningIsKept() throws {
        let long = String(repeating: "é\\u0001", count: 400_000)
        let kept = bounded(params(text(long), text("end")))
        #expect(kept.count < limitBytes)
        let texts = try JSONValue(validating: kept)["prompt"]?.elements.compactMap { $0["text"]?.stringValue }
        #expect(texts?.count == 2 && texts?.last == "end")
        #expect(texts?.first?.hasPrefix("é\u{1}é\u{1}") == true && texts?.first?.utf8.count ?? 0 >= 64 << 10)
    }

    @Test func thousandsOfBlocksStayWithinTheLimit() {
        let blocks = Array(repeating: image(700), count: 10_000).joined(separator: ",")
        let kept = bounded(params(blocks))
        #expect(kept.count < limitBytes && kept.count > 400_000)
    }
}
