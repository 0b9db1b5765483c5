import JSONScan
import TerminalText
import Testing

@testable import AgentQuestions

@Suite struct ElicitationFormTests {
    private func form(_ properties: String, required: String = "[]") throws -> ElicitationForm {
        let schema = #"{"type":"object","properties":\#(properties),"required":\#(required)}"#
        return ElicitationForm(try JSONValue(validating: Array(schema.utf8)))
    }

    /// The JSON text of the value that the text has in a field with this schema, or the words of the fault.
    private func value(_ text: String, _ schema: String) throws -> String {
        let field = try #require(try form(#"{"f":\#(schema)}"#).fields.first)
        do throws(AnswerFault) {
            return String(decoding: try field.value(of: text), as: UTF8.self)
        } catch {
            return error.message.text
        }
    }

    @Test(arguments: [
        (#"{"type":"string"}"#, "a \"b\"", #""a \"b\"""#),
        (#"{"type":"string"}"#, "", #""""#),
        (#"{"type":"string","minLength":2}"#, "x", "'f' must be at least 2 characters long"),
        (#"{"type":"string","maxLength":2}"#, "äöü", "'f' must be at most 2 characters long"),
        (#"{"type":"string","maxLength":3}"#, "äöü", #""äöü""#),
        (#"{"type":"string","format":"date"}"#, "2026-01-31", #""2026-01-31""#),
        (#"{"type":"string","format":"date"}"#, "31.1.2026", "'f' must be a date such as 2026-01-31"),
        (#"{"type":"string","format":"date"}"#, "2026-13-01", "'f' must be a date such as 2026-01-31"),
        (#"{"type":"string","format":"email"}"#, "anything", #""anything""#),
        (#"{"type":"integer"}"#, "9007199254740993", "9007199254740993"),
        (#"{"type":"integer"}"#, "1.5", "'f' must be a whole number"),
        (#"{"type":"integer"}"#, "99999999999999999999", "'f' must be a whole number"),
        (#"{"type":"integer","minimum":1}"#, "0", "'f' must be 1 or more"),
        (#"{"type":"number","maximum":0.5}"#, "0.50", "0.50"),
        (#"{"type":"number","maximum":0.5}"#, "1", "'f' must be 0.5 or less"),
        (#"{"type":"number"}"#, "\"1\"", "'f' must be a number"),
        (#"{"type":"number"}"#, "NaN", "'f' must be a number"),
        (#"{"type":"number"}"#, "", "'f' must be a number"),
        (#"{"type":"boolean"}"#, "Yes", "true"), (#"{"type":"boolean"}"#, "false", "false"),
        (#"{"type":"boolean"}"#, "1", "'f' must be yes or no"),
        (#"{"type":"string","enum":["red","2"]}"#, "2", #""2""#),
        (#"{"type":"string","enum":["red","green"]}"#, "blue", "'f' must be 'red' or 'green'"),
        (#"{"type":"string","oneOf":[{"const":"r","title":"Red"},{"const":"g"}]}"#, "red", #""r""#),
        (#"{"type":"array","items":{"type":"string","enum":["a","b","c"]}}"#, "c, a,c", #"["c","a"]"#),
        (#"{"type":"array","items":{"anyOf":[{"const":"a","title":"First"}]}}"#, "first", #"["a"]"#),
        (#"{"type":"array","items":{"enum":["a","b"]},"maxItems":1}"#, "a,b", "'f' must be at most 1 of 'a' or 'b'"),
        (#"{"type":"array","items":{"enum":["a","b"]},"minItems":1}"#, "", "'f' must be at least 1 of 'a' or 'b'"),
        (#"{"type":"colour"}"#, #"{"r":1}"#, #"{"r":1}"#),
        (#"{"type":"colour"}"#, "red", "'f' must be a JSON value"),
        (#"7"#, "1", "1"),
    ])
    func aTextIsCheckedAgainstTheSchema(schema: String, text: String, expected: String) throws {
        #expect(try value(text, schema) == expected)
    }

    @Test func theContentHasTheFieldsInTheSchemasOrder() throws {
        let form = try form(
            #"{"b":{"type":"string"},"a":{"type":"integer","default":4},"c":{"type":"boolean"}}"#, required: #"["b"]"#)
        let content = try form.content([(name: "c", text: "no"), (name: "b", text: "x")])
        #expect(String(decoding: content, as: UTF8.self) == #"{"b":"x","a":4,"c":false}"#)
    }

    private static let incomplete: [([String], String)] = [
        ([], "'a' is missing"), (["a", "a"], "'a' has more than one value"),
        (["z"], "the form has no field 'z'; it has 'a', 'b'"),
    ]

    @Test(arguments: incomplete)
    func anIncompleteContentIsRefused(names: [String], fault: String) throws {
        let form = try form(#"{"a":{"type":"string"},"b":{"type":"string"}}"#, required: #"["a"]"#)
        #expect(throws: AnswerFault(TerminalText(oneLine: fault))) {
            try form.content(names.map { (name: $0, text: "x") })
        }
    }

    @Test(arguments: ["{}", "[]", "7", #"{"properties":[]}"#, #"{"properties":{"a":null},"required":"a"}"#])
    func aMalformedSchemaIsAForm(schema: String) throws {
        let form = ElicitationForm(try JSONValue(validating: Array(schema.utf8)))
        #expect(form.fields.count <= 1)
        #expect(throws: Never.self) { try form.content([]) }
    }

    @Test func aHostileTitleIsMadeVisible() throws {
        let form = try form(#"{"f":{"type":"string","title":"a\u001b[2Jb"}}"#)
        #expect(form.fields.first?.line.text.contains("\u{1b}") == false)
    }
}
