import JSONScan
import Testing

@testable import AgentQuestions

/// Reads a question from the params of a request.
func question(_ params: String, id: String = "7") throws -> AgentQuestion? {
    AgentQuestion(
        requestId: try JSONValue(validating: Array(id.utf8)), params: try JSONValue(validating: Array(params.utf8)))
}

let threeOptions = #"""
    {"sessionId":"s","title":"Run make?","options":[{"optionId":"y","name":"Allow"},{"optionId":"a","name":"Always"},\#
    {"optionId":"n","name":"Reject"}]}
    """#

@Suite struct AgentQuestionTests {
    @Test func aPermissionRequestOfEachVersionHasItsTitle() throws {
        let first = #"{"toolCall":{"toolCallId":"t","title":"ls"},"options":[{"optionId":"y"}]}"#
        #expect(try question(first)?.title.text == "ls")
        #expect(try question(threeOptions)?.title.text == "Run make?")
        let subject = #"{"subject":{"toolCall":{"toolCallId":"t9"}},"options":[{"optionId":"y"}]}"#
        #expect(try question(subject)?.title.text == "t9")
    }

    @Test(arguments: [
        "{}", #"{"options":[]}"#, #"{"options":[{"name":"no id"}]}"#, #"{"mode":"hologram","message":"?"}"#,
        #"{"mode":"url","message":"?"}"#, #"{"mode":"url","url":7}"#, "[]", "null",
    ])
    func aRequestThatNobodyCanAnswerIsNoQuestion(params: String) throws { #expect(try question(params) == nil) }

    @Test func aRequestIsNamedByItsIdWithOrWithoutQuotes() throws {
        let text = try #require(try question(threeOptions, id: #""r1""#))
        #expect(text.isNamed("r1") && text.isNamed(#""r1""#) && !text.isNamed("r"))
        let number = try #require(try question(threeOptions, id: "0"))
        #expect(number.isNamed("0") && !number.isNamed(#""0""#))
    }

    @Test(arguments: [
        (QuestionAnswer.option("y"), #"{"outcome":{"outcome":"selected","optionId":"y"}}"#),
        (.cancelledPermission, #"{"outcome":{"outcome":"cancelled"}}"#),
        (.accept(Array(#"{"a":1}"#.utf8)), #"{"action":"accept","content":{"a":1}}"#),
        (.accept(nil), #"{"action":"accept"}"#), (.decline, #"{"action":"decline"}"#),
        (.cancel, #"{"action":"cancel"}"#),
    ])
    func anAnswerIsWrittenAsItsMutationTakesIt(answer: QuestionAnswer, arguments: String) {
        #expect(String(decoding: JSONWriter.object { answer.write(to: &$0) }, as: UTF8.self) == arguments)
        #expect(answer.mutation == (arguments.contains("outcome") ? "permissions:answer" : "elicitations:answer"))
    }
}

@Suite struct QuestionDialogTests {
    @Test(arguments: [
        ("1", "y"), ("3", "n"), ("allow", "y"), ("Rej", "n"), ("a", "a"), (" 2 ", "a"), ("al", nil), ("4", nil),
        ("0", nil), ("", nil), ("maybe", nil), ("-1", nil), ("99999999999999999999", nil),
    ])
    func anOptionIsSelectedByNumberIdNameOrBeginning(words: String, id: String?) throws {
        var dialog = QuestionDialog(try #require(try question(threeOptions)))
        #expect(dialog.line.text == "1 Allow  2 Always  3 Reject: ")
        #expect(dialog.enter(words) == (id.map { .done(.option($0)) } ?? .again("Type 1 to 3.")))
    }

    @Test func aPageIsOpenedOrRefused() throws {
        let page = try #require(try question(#"{"mode":"url","message":"Visit","url":"https://example.com"}"#))
        for (words, answer) in [("1", QuestionAnswer.accept(nil)), ("decline", .decline), ("c", .cancel)] {
            var dialog = QuestionDialog(page)
            #expect(dialog.enter(words) == .done(answer))
        }
    }

    private static let form = #"""
        {"mode":"form","message":"How?","requestedSchema":{"type":"object","properties":{\#
        "topic":{"type":"string","title":"Topic"},"lines":{"type":"integer","default":3},\#
        "colour":{"type":"string","enum":["red","green"]}},"required":["topic"]}}
        """#

    @Test func aFormIsFilledInFieldByField() throws {
        var dialog = QuestionDialog(try #require(try question(Self.form)))
        #expect(dialog.line.text == "1 Answer  2 Decline  3 Cancel: ")
        #expect(dialog.enter("1") == .next)
        #expect(dialog.line.text == "Topic: ")
        #expect(dialog.enter("") == .again("'topic' is missing."))
        #expect(dialog.enter("the sea") == .next)
        #expect(dialog.line.text == "lines (a whole number) [3]: ")
        #expect(dialog.enter("many") == .again("'lines' must be a whole number."))
        #expect(dialog.enter("") == .next)
        #expect(dialog.line.text == "colour (1 red  2 green): ")
        let content = Array(#"{"topic":"the sea","lines":3,"colour":"green"}"#.utf8)
        #expect(dialog.enter("2") == .done(.accept(content)))
    }

    @Test func aFormCanBeRefused() throws {
        let form = try #require(try question(Self.form))
        for (words, answer) in [("decline", QuestionAnswer.decline), ("3", .cancel)] {
            var dialog = QuestionDialog(form)
            #expect(dialog.enter(words) == .done(answer))
        }
    }

    @Test func anOptionalFieldCanStayEmpty() throws {
        let schema = #"{"properties":{"name":{"type":"string"}}}"#
        var dialog = QuestionDialog(
            try #require(try question(#"{"mode":"form","message":"?","requestedSchema":\#(schema)}"#)))
        #expect(dialog.enter("answer") == .next)
        #expect(dialog.enter(" ") == .done(.accept(Array("{}".utf8))))
    }

    @Test func aFormWithoutFieldsTakesOneStep() throws {
        var dialog = QuestionDialog(try #require(try question(#"{"mode":"form","message":"Continue?"}"#)))
        #expect(dialog.enter("1") == .done(.accept(Array("{}".utf8))))
    }
}
