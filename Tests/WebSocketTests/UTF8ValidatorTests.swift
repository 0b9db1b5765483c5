import Testing
import WebSocket

@Suite struct UTF8ValidatorTests {
    static func accepts(_ pieces: [[UInt8]]) -> Bool {
        var validator = UTF8Validator()
        return pieces.allSatisfy { validator.accept($0.span) } && validator.isAtBoundary
    }

    /// Whether the text can still become valid. Also checks that one piece and single bytes give the same answer.
    static func canContinue(after bytes: [UInt8]) -> Bool? {
        var (whole, bytewise) = (UTF8Validator(), UTF8Validator())
        let canContinue = whole.accept(bytes.span)
        return bytes.allSatisfy { bytewise.accept([$0].span) } == canContinue ? canContinue : nil
    }

    @Test(arguments: [
        "", "a", "plain ASCII over more than sixteen bytes", "κόσμε", "\u{7F}\u{80}\u{7FF}\u{800}\u{FFFF}",
        "\u{D7FF}\u{E000}\u{FFFD}\u{FFFE}\u{10000}\u{10FFFF}", "漢字かな交じり文は長い", "👩‍👩‍👧‍👦 and more 🎉",
        "sixteen bytes ok" + "é" + "sixteen bytes ok" + "🎉",
    ])
    func validTextIsAcceptedAtEveryCut(text: String) {
        let bytes = Array(text.utf8)
        for pieces in bytes.cutInTwo { #expect(Self.accepts(pieces)) }
        #expect(Self.accepts(bytes.singleBytes))
    }

    static let invalid: [[UInt8]] = [
        [0x80], [0xBF], [0x80, 0xBF], [0xFE], [0xFF], [0xC0, 0xAF], [0xC1, 0xBF], [0xE0, 0x80, 0xAF],
        [0xE0, 0x9F, 0xBF], [0xF0, 0x80, 0x80, 0xAF], [0xF0, 0x8F, 0xBF, 0xBF], [0xF8, 0x88, 0x80, 0x80, 0x80],
        [0xFC, 0x84, 0x80, 0x80, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xED, 0xAF, 0xBF], [0xED, 0xBF, 0xBF],
        [0xED, 0xA0, 0x80, 0xED, 0xB0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80],
        [0xF7, 0xBF, 0xBF, 0xBF], [0xC3, 0x41], [0xE1, 0x80, 0x41], [0xF1, 0x80, 0x80, 0x41], [0xE1, 0xC3, 0xA9],
        [0xC3], [0xE1, 0x80], [0xF1, 0x80, 0x80], [0xE0], [0xF4, 0x8F],
    ]

    @Test(arguments: invalid)
    func invalidTextIsRefusedAtEveryCut(bytes: [UInt8]) {
        for before in ["", "é", "sixteen bytes ok", "漢字"] {
            let text = Array(before.utf8) + bytes
            for pieces in text.cutInTwo { #expect(!Self.accepts(pieces)) }
            #expect(!Self.accepts(text.singleBytes))
            #expect(!Self.accepts([text + Array("and more of it".utf8)]))
        }
    }

    /// The byte after which no continuation can make the text valid.
    @Test(
        arguments: [
            ([0x61, 0xC0], 1), ([0xE0, 0x9F], 1), ([0xED, 0xA0], 1), ([0xF0, 0x8F], 1), ([0xF4, 0x90], 1),
            ([0xF5], 0), ([0xC3, 0x28], 1), ([0xE2, 0x82, 0x28], 2), ([0xF0, 0x9F, 0x92, 0x28], 3), ([0x61, 0x80], 1),
        ] as [([UInt8], Int)])
    func validationFailsAtTheFirstImpossibleByte(bytes: [UInt8], failing: Int) {
        for count in 0...bytes.count {
            #expect(Self.canContinue(after: Array(bytes[..<count])) == (count <= failing))
        }
    }

    @Test func everyPairOfBytesAndEveryScalarMatchesTheStandardLibrary() {
        for first in UInt8.min...UInt8.max {
            for second in UInt8.min...UInt8.max {
                let isValid = String(validating: [first, second], as: UTF8.self) != nil
                #expect(Self.accepts([[first], [second]]) == isValid)
            }
        }
        for value in stride(from: UInt32(0x80), through: 0x10FFFF, by: 0x3F) {
            guard let scalar = Unicode.Scalar(value) else { continue }
            #expect(Self.accepts(Array(String(scalar).utf8).singleBytes))
        }
    }
}
