import Testing

@testable import DemoPrompts

@Suite struct ProseTests {
    @Test func thePromptAndTheTurnDetermineTheProse() {
        var first = Prose(prompt: "lighthouse keepers", turn: 1)
        var again = Prose(prompt: "lighthouse keepers", turn: 1)
        var next = Prose(prompt: "lighthouse keepers", turn: 2)
        let words = first.words(500)
        #expect(words == again.words(500))
        #expect(words != next.words(500))
    }

    @Test func aSeedChangesTheProse() {
        var first = Prose(prompt: "lighthouse keepers", turn: 1, seed: 7)
        var again = Prose(prompt: "lighthouse keepers", turn: 1, seed: 7)
        var other = Prose(prompt: "lighthouse keepers", turn: 1)
        let words = first.words(500)
        #expect(words == again.words(500))
        #expect(words != other.words(500))
    }

    @Test func theProseContainsWordsOfThePrompt() {
        var prose = Prose(prompt: "Tell me about lighthouse keepers, 20 words, pace=0", turn: 1)
        let text = String(decoding: prose.words(200), as: UTF8.self).lowercased()
        #expect(text.contains("lighthouse") && text.contains("keepers"))
        #expect(Prose.subjects(of: "Tell me about lighthouse keepers, 20 words") == ["lighthouse", "keepers"])
    }

    @Test(arguments: ["", "a b c", "1 2 3", "20 words"])
    func aPromptWithoutSubjectsGetsDefaultSubjects(prompt: String) {
        #expect(!Prose.subjects(of: prompt).isEmpty)
    }

    @Test(arguments: [1, 2, 3, 10, 100, 1000])
    func sizedChunksHaveTheExactSizeAndWholeCharacters(byteCount: Int) {
        var prose = Prose(prompt: "éééé 日本語日本語 ÅÅÅÅÅ", turn: 1)
        for _ in 0..<50 {
            let chunk = prose.chunk(byteCount: byteCount)
            #expect(chunk.count == byteCount)
            #expect(String(validating: chunk, as: UTF8.self) != nil)
        }
    }
}

@Suite struct TextStreamTests {
    private func chunks(_ rest: TextStream.Rest) -> [String] {
        var stream = TextStream(kind: .message, messageID: "m", rest: rest)
        var prose = Prose(prompt: "lighthouse keepers", turn: 1)
        var chunks: [String] = []
        while let chunk = stream.next(from: &prose) { chunks.append(chunk) }
        return chunks
    }

    @Test(arguments: [0, 1, 2, 500])
    func theNumberOfChunksIsExact(count: Int) {
        #expect(chunks(.chunks(count, sizeBytes: nil)).count == count)
        #expect(chunks(.chunks(count, sizeBytes: 40)).map(\.utf8.count) == Array(repeating: 40, count: count))
    }

    @Test(arguments: [0, 1, 3, 4, 200])
    func theNumberOfWordsIsExact(count: Int) {
        #expect(chunks(.words(count)).joined().split(whereSeparator: \.isWhitespace).count == count)
    }

    @Test(arguments: [1, 2, 50])
    func aPassageEndsAtTheEndOfASentence(minimum: Int) {
        let chunks = chunks(.passage(minimumChunks: minimum))
        #expect(chunks.count >= minimum)
        #expect(chunks.last?.hasSuffix(".") == true)
    }

    @Test(arguments: ["", "one", " one  two\nthree four five ", "日本語 \"quoted\""])
    func aGivenTextIsSentCompletely(text: String) {
        #expect(chunks(.text(text[...])).joined() == text)
    }
}

@Suite struct TimestampTests {
    @Test(arguments: [
        (0, "1970-01-01T00:00:00Z"), (951_782_400, "2000-02-29T00:00:00Z"), (1_795_233_715, "2026-11-21T04:01:55Z"),
        (4_107_542_399, "2100-02-28T23:59:59Z"), (4_107_542_400, "2100-03-01T00:00:00Z"),
    ])
    func secondsAreFormattedAsISO8601(seconds: Int, text: String) {
        #expect(timestamp(unixSeconds: seconds) == text)
    }
}
