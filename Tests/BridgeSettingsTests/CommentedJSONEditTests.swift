import Testing

@testable import BridgeSettings

@Suite struct CommentedJSONEditTests {
    private static let value = "{\n  \"command\": \"x\"\n}"

    private func edit(_ text: String, _ value: String = value) throws -> String {
        String(
            decoding: try CommentedJSONEdit.setting("new", to: value, in: "agent_servers", of: Array(text.utf8)),
            as: UTF8.self)
    }

    @Test(arguments: ["", " \n", "{}\n"])
    func anEmptyFileGetsAnObject(text: String) throws {
        #expect(
            try edit(text) == """
                {
                  "agent_servers": {
                    "new": {
                      "command": "x"
                    }
                  }
                }

                """)
    }

    @Test func commentsAndLayoutStay() throws {
        let text = """
            // My settings.
            {
                "theme": "One", // dark
                /* agents */
                "agent_servers": {
                    // The old one.
                    "old": { "command": "y" },
                },
            }
            """
        #expect(
            try edit(text) == """
                // My settings.
                {
                    "theme": "One", // dark
                    /* agents */
                    "agent_servers": {
                        "new": {
                          "command": "x"
                        },
                        // The old one.
                        "old": { "command": "y" },
                    },
                }
                """)
    }

    @Test func aCommentAfterTheBraceStays() throws {
        #expect(try edit("{ // c\n  \"a\": 1\n}").contains("// c\n  \"a\": 1"))
        #expect(try edit("{ // c\n}").contains("// c\n}"))
    }

    @Test func aTextOnOneLineStaysValid() throws {
        #expect(try edit(#"{"a": 1}"#).hasSuffix("\n  \"a\": 1}"))
        #expect(try edit(#"{"agent_servers": {}}"#).contains(#""new""#))
    }

    @Test func anotherValueIsReplacedAndTheSameOneStays() throws {
        let text = #"{"agent_servers": {"new": {"command":"old"}, "z": 1}}"#
        let changed = try edit(text)
        #expect(changed.contains(#""command": "x""#) && !changed.contains("old") && changed.hasSuffix(#", "z": 1}}"#))
        #expect(try edit(changed) == changed)
        let spaced = #"{"agent_servers": {"new": { "command" : "x" } } }"#
        #expect(try edit(spaced) == spaced)
    }

    @Test(arguments: [
        ("{\n\"a\" 1}", CommentedJSONEdit.Failure.notJSON(line: 2, reason: "unexpected byte")),
        ("[]", .notAnObject(name: nil)), (#"{"agent_servers": 5}"#, .notAnObject(name: "agent_servers")),
        (#"{"agent_servers": {}, "agent_servers": {}}"#, .repeated(name: "agent_servers")),
        (#"{"agent_servers": {"new": 1, "new": 2}}"#, .repeated(name: "new")),
    ])
    func aTextThatCannotBeChangedSafelyIsRefused(text: String, failure: CommentedJSONEdit.Failure) {
        #expect(throws: failure) { try edit(text) }
    }

    @Test func aNameIsEscaped() throws {
        let text = try CommentedJSONEdit.setting("a\"b", to: "1", in: "p", of: [])
        #expect(String(decoding: text, as: UTF8.self).contains(#""a\"b": 1"#))
    }
}
