/// Endless prose built from the prompt's own words: the same prompt and turn give the same prose.
struct Prose {
    private var random: SplitMix64
    private let subjects: [[UInt8]]
    /// The sentence that is being said, and how far it has been.
    private var sentence: [UInt8] = []
    private var position = 0
    private var sentenceCount = 0
    /// The templates of the current round, each of which comes once in it.
    private var round: ArraySlice<[[UInt8]]> = []
    private var lastSubject = 0

    init(prompt: String, turn: Int) {
        random = SplitMix64(
            seed: prompt.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 } &+ UInt64(turn))
        subjects = Self.subjects(of: prompt).map { Array($0.utf8) }
    }

    /// True before the first word of a sentence.
    var isBetweenSentences: Bool { position == sentence.count }

    /// Leaves the current sentence unfinished; the next word begins one.
    mutating func endSentence() { position = sentence.count }

    /// Appends the next word, with the space or the blank line after it.
    mutating func appendWord(to text: inout [UInt8]) {
        if isBetweenSentences { beginSentence() }
        var end = position
        while end < sentence.count, sentence[end] > 0x20 { end += 1 }
        while end < sentence.count, sentence[end] <= 0x20 { end += 1 }
        text += sentence[position..<end]
        position = end
    }

    /// So many words, joined.
    mutating func words(_ count: Int) -> [UInt8] {
        var text: [UInt8] = []
        for _ in 0..<count { appendWord(to: &text) }
        return text
    }

    /// Two to four words, as a model's chunks come.
    mutating func chunk() -> [UInt8] { words(Int(random.next() % 3) + 2) }

    /// Text of exactly `byteCount` bytes, filled up with spaces where a character would be cut.
    mutating func chunk(byteCount: Int) -> [UInt8] {
        var text: [UInt8] = []
        while text.count < byteCount { appendWord(to: &text) }
        // 10xxxxxx is a byte inside a character: the cut goes before the character's first byte.
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

    /// Any but the one before, where there are two.
    private mutating func nextSubject() -> [UInt8] {
        let others = UInt64(max(1, subjects.count - 1))
        lastSubject = (lastSubject + 1 + Int(random.next() % others)) % subjects.count
        return subjects[lastSubject]
    }
}

extension Prose {
    /// What the prompt is about: its longer words, each once, options and little words left out. Never empty.
    static func subjects(of prompt: String, limit: Int = 64) -> [String] {
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
        "about", "apart", "chunk", "chunks", "commands", "could", "each", "echo", "edits", "fail", "flush", "from",
        "have",
        "help", "into", "pace", "permission", "plan", "please", "quiet", "refuse", "should", "size", "some", "tell",
        "that",
        "their", "them", "then", "there", "these", "they", "this", "thoughts", "tools", "what", "when", "where",
        "which",
        "will", "with", "without", "word", "words", "would", "write", "your",
    ]

    private static let place = UInt8(ascii: "_")

    /// Sentences as words; an underscore is a place for a subject.
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

/// A small seeded generator (Steele, Lea and Flood, 2014): the standard library's own cannot be seeded.
struct SplitMix64: RandomNumberGenerator {
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
