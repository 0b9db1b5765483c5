/// Endless prose with words of the prompt. The same prompt, turn and seed generate the same prose.
package struct Prose: Sendable {
    private var random: SplitMix64
    private let subjects: [[UInt8]]
    /// The current sentence, and the position of the next word in it.
    private var sentence: [UInt8] = []
    private var position = 0
    private var sentenceCount = 0
    /// The remaining templates of the current round, in which each template is used once.
    private var round: ArraySlice<[[UInt8]]> = []
    private var lastSubject = 0

    package init(prompt: String, turn: Int, seed: UInt64 = 0) {
        let hash = prompt.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        random = SplitMix64(seed: hash &+ UInt64(turn) &+ seed)
        subjects = Self.subjects(of: prompt).map { Array($0.utf8) }
    }

    /// True before the first word of a sentence.
    package var isBetweenSentences: Bool { position == sentence.count }

    /// Ends the current sentence early; the next word begins a new one.
    package mutating func endSentence() { position = sentence.count }

    /// Appends the next word with the space or blank line after it.
    package mutating func appendWord(to text: inout [UInt8]) {
        if isBetweenSentences { beginSentence() }
        var end = position
        while end < sentence.count, sentence[end] > 0x20 { end += 1 }
        while end < sentence.count, sentence[end] <= 0x20 { end += 1 }
        text += sentence[position..<end]
        position = end
    }

    /// The next `count` words, joined.
    package mutating func words(_ count: Int) -> [UInt8] {
        var text: [UInt8] = []
        for _ in 0..<count { appendWord(to: &text) }
        return text
    }

    /// The next two to four words, like the chunks of a model.
    package mutating func chunk() -> [UInt8] { words(Int(random.next() % 3) + 2) }

    /// Text of exactly `byteCount` bytes. If the limit would cut a character, spaces replace it.
    package mutating func chunk(byteCount: Int) -> [UInt8] {
        var text: [UInt8] = []
        while text.count < byteCount { appendWord(to: &text) }
        // 10xxxxxx is a byte inside a character. Cut before the first byte of the character.
        var end = byteCount
        while end > 0, end < text.count, text[end] & 0b1100_0000 == 0b1000_0000 { end -= 1 }
        text.replaceSubrange(end..., with: repeatElement(UInt8(ascii: " "), count: byteCount - end))
        return text
    }

    private mutating func beginSentence() {
        sentenceCount += 1
        sentence.removeAll(keepingCapacity: true)
        position = 0
        if round.isEmpty { round = Self.templates.shuffled(using: &random)[...] }
        for word in round.removeFirst() {
            if word.first == Self.place { sentence += nextSubject() }
            sentence += word.first == Self.place ? word.dropFirst() : word[...]
            sentence.append(0x20)
        }
        sentence[sentence.count - 1] = UInt8(ascii: ".")
        sentence += sentenceCount.isMultiple(of: 4) ? [0x0a, 0x0a] : [0x20]
        if let first = sentence.first, first >= UInt8(ascii: "a"), first <= UInt8(ascii: "z") {
            sentence[0] = first - 0x20
        }
    }

    /// Returns a random subject, and not the previous one if there are several.
    private mutating func nextSubject() -> [UInt8] {
        let others = UInt64(max(1, subjects.count - 1))
        lastSubject = (lastSubject + 1 + Int(random.next() % others)) % subjects.count
        return subjects[lastSubject]
    }
}

extension Prose {
    /// The subjects of a prompt: its longer words, without duplicates, options and common words. Never empty.
    package static func subjects(of prompt: String, limit: Int = 64) -> [String] {
        var seen = skipped
        var subjects: [String] = []
        for word in prompt.split(whereSeparator: { !$0.isLetter && $0 != "-" }) where subjects.count < limit {
            let word = word.lowercased()
            guard word.count > 3, word.count < 32, seen.insert(word).inserted else { continue }
            subjects.append(word)
        }
        return subjects.isEmpty ? ["question", "answer", "work"] : subjects
    }

    private static let skipped: Set<String> = [
        "about", "apart", "background", "chunk", "chunks", "commands", "could", "each", "echo", "edits", "fail",
        "flush", "forever", "from", "have", "help", "into", "lasting", "nested", "pace", "permission", "plan",
        "please", "quiet", "refuse", "should", "size", "snapshots", "some", "subagent", "subagents", "tell",
        "terminal", "that", "their", "them", "then", "there", "these", "they", "this", "thoughts", "tools",
        "unlisted", "what", "when", "where", "which", "will", "with", "withdraw", "without", "word", "words",
        "would", "write", "your",
    ]

    private static let place = UInt8(ascii: "_")

    /// Sentences as lists of words. An underscore is replaced with a subject.
    private static let templates: [[[UInt8]]] = [
        "the first thing to know about _ is that it never comes without _",
        "start with _, then look at _ again",
        "most of what is said of _ holds for _ as well",
        "if _ matters to you, keep it close to _",
        "there is a simple way to test _ against _, and it takes a minute",
        "people who have worked with _ for years still argue about it",
        "_ and _ belong together",
        "what surprises here is how little _ depends on _",
        "a good next step is to write down what _ should do, before _ gets in the way",
        "none of this is final, since _ changes as soon as _ does",
        "in short, _ first and _ second",
        "the notes say the same of _, in fewer words",
        "it helps to see _ as a question that _ answers",
        "when in doubt, leave _ as it is and change _ instead",
    ].map { $0.split(separator: " ").map { Array($0.utf8) } }
}

/// A small generator with a seed (Steele, Lea and Flood, 2014). The standard library's generator has no seed.
struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var value = state
        value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
        return value ^ (value >> 31)
    }
}
