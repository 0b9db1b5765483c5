import TestSupport
import Testing

@testable import Clients
@testable import EventLoop

/// The lines that an undecided editor has answered, and its decision.
@LoopActor private final class Recording {
    var answered: [String] = []
    var outcome = ""
    private(set) lazy var editor = UndecidedEditor {
        EditorChoice.Offer(version: 1, sessions: ["kept"])
    } answer: { [unowned self] in
        answered.append(String(decoding: $0, as: UTF8.self))
    } decided: { [unowned self] in
        switch $0 {
        case .end: outcome = "end"
        case .takeOver(let bytes): outcome = "take over: \(String(decoding: bytes, as: UTF8.self))"
        case .startAgent(let answered, let unanswered):
            outcome =
                "start: \(String(decoding: answered, as: UTF8.self))|\(String(decoding: unanswered, as: UTF8.self))"
        }
    }

    func write(_ text: String) { Array(text.utf8).withUnsafeBytes { editor.wrote($0) } }
}

@Suite(.serialized) struct UndecidedEditorTests {
    private static let initialize = #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}"#
    private static let load = #"{"jsonrpc":"2.0","id":1,"method":"session/load","params":{"sessionId":"kept"}}"#

    init() { LoopThread.start }

    @Test @LoopActor func theSecondLineWaitsForTheAnswerToTheFirst() {
        let recording = Recording()
        recording.write(Self.initialize + "\n" + Self.load + "\nrest")
        #expect(recording.answered == [Self.initialize] && recording.outcome.isEmpty && recording.editor.state == nil)
        recording.editor.wasAnswered()
        #expect(recording.outcome == "take over: \(Self.load)\nrest")
    }

    @Test @LoopActor func anAgentOfItsOwnGetsEveryByteThatWasNotAnswered() {
        let recording = Recording()
        recording.write(Self.initialize + "\n")
        recording.editor.wasAnswered()
        recording.write("noise\nhalf a li")
        #expect(recording.outcome == "start: \(Self.initialize)\n|noise\nhalf a li")
    }

    @Test @LoopActor func aLineThatDoesNotEndStartsAnAgent() {
        let recording = Recording()
        recording.write(String(repeating: "x", count: EditorChoice.lineLimitBytes + 1))
        #expect(recording.outcome.hasPrefix("start: |xxx"))
    }

    @Test @LoopActor func anEndWithoutALineReachesAnAgentAndAnEndAfterTheAnswersDoesNot() {
        let silent = Recording()
        silent.editor.endedInput()
        #expect(silent.outcome == "start: |")
        let answered = Recording()
        answered.write(Self.initialize + "\n")
        answered.editor.wasAnswered()
        answered.editor.endedInput()
        #expect(answered.outcome == "end")
    }

    @Test @LoopActor func aHandedOverEditorContinuesWithItsUnreadBytes() throws {
        let recording = Recording()
        recording.write(Self.initialize + "\n")
        recording.editor.wasAnswered()
        recording.write(String(Self.load.dropLast()))
        var outcome = ""
        let next = UndecidedEditor(try #require(recording.editor.state)) {
            EditorChoice.Offer(version: 1, sessions: ["kept"])
        } answer: { _ in
        } decided: {
            if case .takeOver = $0 { outcome = "take over" }
        }
        Array("}\n".utf8).withUnsafeBytes { next.wrote($0) }
        #expect(outcome == "take over")
    }
}
