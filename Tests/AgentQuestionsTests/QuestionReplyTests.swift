import JSONScan
import TerminalText
import Testing

@testable import AgentQuestions

@Suite struct QuestionReplyTests {
    private static let permission = threeOptions
    private static let page = #"{"mode":"url","message":"Visit","url":"https://example.com"}"#
    private static let form =
        #"{"mode":"form","message":"?","requestedSchema":{"properties":{"n":{"type":"integer"}},"required":["n"]}}"#

    /// The answer's arguments, or the words of the fault.
    private func answer(_ params: String, _ reply: QuestionReply) throws -> String {
        let question = try #require(try question(params))
        do throws(AnswerFault) {
            let answer = try question.answer(reply)
            return String(decoding: JSONWriter.object { answer.write(to: &$0) }, as: UTF8.self)
        } catch {
            return error.message.text
        }
    }

    @Test func anOptionMustBeOneOfTheRequest() throws {
        #expect(
            try answer(Self.permission, .option("a")) == #"{"outcome":{"outcome":"selected","optionId":"a"}}"#)
        // A script must not approve by accident, so it cannot use a name or a number in place of an id.
        for id in ["Allow", "1", "A", ""] {
            #expect(
                try answer(Self.permission, .option(id)) == "the request has no option '\(id)'; it has 'y', 'a', 'n'")
        }
        #expect(try answer(Self.permission, .cancel) == #"{"outcome":{"outcome":"cancelled"}}"#)
    }

    @Test func aPermissionIsNotAcceptedOrDeclined() throws {
        let fault = "a permission request is answered with --cancel, or with --option and one of 'y', 'a', 'n'"
        #expect(try answer(Self.permission, .accept([])) == fault)
        #expect(try answer(Self.permission, .decline) == fault)
    }

    @Test func aFormIsCheckedAgainstItsSchema() throws {
        #expect(try answer(Self.form, .accept([("n", "3")])) == #"{"action":"accept","content":{"n":3}}"#)
        #expect(try answer(Self.form, .accept([("n", "x")])) == "'n' must be a whole number")
        #expect(try answer(Self.form, .accept([])) == "'n' is missing")
        #expect(try answer(Self.form, .decline) == #"{"action":"decline"}"#)
        #expect(try answer(Self.form, .cancel) == #"{"action":"cancel"}"#)
    }

    @Test func aPageHasNoFieldsAndNoOptions() throws {
        #expect(try answer(Self.page, .accept([])) == #"{"action":"accept"}"#)
        #expect(try answer(Self.page, .accept([("n", "1")])) == "a page has no fields, but 'n' was given")
        #expect(
            try answer(Self.page, .option("y")) == "this question is answered with --accept, --decline or --cancel")
    }
}
