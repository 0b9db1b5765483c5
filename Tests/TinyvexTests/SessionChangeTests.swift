import JSONScan
import Testing
import Tinyvex

@Suite struct SessionChangeTests {
    private func arguments(_ text: String) throws -> Parameters {
        Parameters(try JSONValue(validating: Array(text.utf8)))
    }

    @Test(arguments: [
        (#"{"title":" Login \n"}"#, "Login"), (#"{"title":null}"#, nil), ("{}", nil), (#"{"title":" \t"}"#, nil),
        (#"{"title":"a b"}"#, "a b"),
    ])
    func aTitleIsTrimmedAndCanBeRemoved(text: String, title: String?) throws {
        #expect(try SessionChange.title(arguments(text)) == title)
    }

    @Test func duplicateTagsAreRemovedAndTheOrderIsKept() throws {
        #expect(try SessionChange.tags(arguments(#"{"tags":["b"," a ","b","ü x"]}"#)) == ["b", "a", "ü x"])
        #expect(try SessionChange.tags(arguments(#"{"tags":[]}"#)) == [])
    }

    @Test func archivingIsTheDefault() throws {
        #expect(try SessionChange.archived(arguments("{}")))
        #expect(try !SessionChange.archived(arguments(#"{"archived":false}"#)))
    }

    @Test(arguments: [
        #"{"title":"a\nb"}"#, #"{"title":"\u001b[31m"}"#, #"{"title":7}"#,
        #"{"title":"\#(String(repeating: "x", count: 1025))"}"#,
    ])
    func invalidTitlesAreRejected(text: String) {
        #expect(throws: Rejection.self) { try SessionChange.title(arguments(text)) }
    }

    @Test(arguments: [
        "{}", #"{"tags":"a"}"#, #"{"tags":[1]}"#, #"{"tags":[""]}"#, #"{"tags":["a\nb"]}"#,
        #"{"tags":["\#(String(repeating: "x", count: 65))"]}"#,
        #"{"tags":[\#((0...32).map { "\"\($0)\"" }.joined(separator: ","))]}"#,
    ])
    func invalidTagsAreRejected(text: String) {
        #expect(throws: Rejection.self) { try SessionChange.tags(arguments(text)) }
    }
}
