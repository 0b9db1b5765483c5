import JSONScan
import SessionText
import TerminalText
import Testing
import Tinyvex

/// The changes and outputs of tool calls, as the renderer shows them.
@Suite struct CallContentsTests {
    private var renderer = SessionRenderer(hasColour: false, remembers: true, showsContents: true)

    private func json(_ text: String) throws -> JSONValue { try JSONValue(validating: Array(text.utf8)) }

    private mutating func call(_ members: String, _ kind: String = "tool_call_update") throws -> String {
        let update = #"{"sessionUpdate":"\#(kind)","toolCallId":"t",\#(members)}"#
        return renderer.render(.update, try json(#"{"params":{"sessionId":"s","update":\#(update)}}"#)).text
    }

    private mutating func ask(_ members: String) throws -> String {
        let call = #"{"toolCallId":"t",\#(members)}"#
        return renderer.render(.permissionRequest, try json(#"{"requestId":1,"params":{"toolCall":\#(call)}}"#)).text
    }

    private static func string(_ text: String) -> String {
        String(decoding: JSONWriter.scalar(text), as: UTF8.self)
    }

    private static func diff(_ old: String?, _ new: String, path: String = "a") -> String {
        let old = old.map { #""oldText":\#(string($0)),"# } ?? ""
        return #"{"type":"diff","path":"\#(path)",\#(old)"newText":\#(string(new))}"#
    }

    private static func text(_ text: String) -> String {
        #"{"type":"content","content":{"type":"text","text":\#(string(text))}}"#
    }

    private static let edit = #""title":"Edit","content":[\#(diff("1\n2\n", "1\n3\n"))]"#

    // MARK: Changes

    @Test mutating func aPermissionRequestShowsTheChange() throws {
        #expect(try ask(Self.edit) == "? permission: Edit\n  diff a +1 -1\n   1\n  -2\n  +3\n")
    }

    @Test mutating func aChangeIsShownOnceForEachCall() throws {
        #expect(try call(#"\#(Self.edit),"status":"pending""#, "tool_call").isEmpty)
        #expect(try ask(Self.edit).hasSuffix("  +3\n"))
        #expect(try call(#"\#(Self.edit),"status":"completed""#) == "✓ Edit\n")
        let other = #""content":[\#(Self.diff("1\n2\n", "1\n3\n")),\#(Self.diff("", "4\n", path: "b"))]"#
        #expect(try call(#"\#(other),"status":"failed""#) == "✗ Edit\n  diff b +1\n  +4\n")
    }

    private static func patch(_ text: String) -> String {
        #"{"type":"diff","changes":[{"operation":"modify","path":"p"}],"patch":{"format":"git_patch","text":\#(string(text))}}"#
    }

    @Test mutating func marksInAPatchCountAsLines() throws {
        let text = "@@ -1 +1 @@\n" + String(repeating: "-x\n\\ No newline at end of file\n", count: 200)
        let many = (1...100).map { "\($0)\n" }.joined()
        let shown = try ask(#""title":"Edit","content":[\#(Self.patch(text)),\#(Self.diff("", many))]"#)
        // The request, and for each of the changes a header and the number of hidden lines.
        #expect(shown.split(separator: "\n").count == 60 + 5)
        #expect(shown.contains("more lines"))
    }

    @Test mutating func theSecondFileOfAPatchIsNamed() throws {
        let text = "diff --git a/p b/p\n@@ -1 +1 @@\n-1\n+2\ndiff --git a/q b/q\n+++ b/q\n@@ -1 +1 @@\n-3\n+\u{301}4\n"
        let shown = try ask(#""title":"Edit","content":[\#(Self.patch(text))]"#)
        #expect(!shown.contains("a/p") && shown.contains("diff --git a/q b/q") && shown.contains("\n  +\u{301}4\n"))
    }

    @Test func aLimitBelowZeroShowsNoLine() {
        let difference = LineDifference("a\nb\n", "a\nc\n", limit: -59)
        #expect(difference.lines.count == 1 && difference.addedCount == 1)
    }

    @Test mutating func aLongLastLineOfAnOutputIsCutAtItsBeginning() throws {
        let output = Self.text("first\n" + String(repeating: "x", count: 20_000) + "end\n")
        let shown = try call(#""title":"Run","kind":"execute","status":"completed","content":[\#(output)]"#)
        #expect(shown.contains("1 earlier line\n  xxxxxxxxxx"))
    }

    @Test mutating func aCallOfTheNextTurnShowsTheSameChangeAgain() throws {
        #expect(try ask(Self.edit).hasSuffix("  +3\n"))
        _ = renderer.render(.prompt, try json(#"{"prompt":[]}"#))
        #expect(try ask(Self.edit).hasSuffix("  +3\n"))
    }

    @Test mutating func aRequestThatWasTooLongToStoreSaysSo() throws {
        let line = "  70000 bytes are not shown here: see acpbridge open\n"
        let shown = renderer.render(.permissionRequest, try json(#"{"omittedBytes":70000}"#)).text
        #expect(shown == "? permission: \n" + line)
        let listed = try json(#"{"toolCall":{"toolCallId":"t"},"omittedBytes":70000}"#)
        #expect(SessionRenderer.details(ofRequest: listed, hasColour: false).text == line)
    }

    @Test mutating func aChangeThatTheCallsLineHasShownIsNotRepeatedInThePermissionRequest() throws {
        #expect(try call(#"\#(Self.edit),"status":"in_progress""#, "tool_call").hasSuffix("  +3\n"))
        #expect(try ask(Self.edit) == "? permission: Edit\n")
    }

    @Test mutating func aRequestWithoutContentShowsTheChangeOfItsCall() throws {
        #expect(try call(#"\#(Self.edit),"status":"pending""#, "tool_call").isEmpty)
        #expect(try ask(#""title":"May I?""#) == "? permission: May I?\n  diff a +1 -1\n   1\n  -2\n  +3\n")
    }

    @Test mutating func anEditWithoutPermissionShowsItsChangeWithItsNextLine() throws {
        #expect(try call(#"\#(Self.edit),"status":"pending""#, "tool_call").isEmpty)
        #expect(try call(#""status":"completed""#) == "✓ Edit\n  diff a +1 -1\n   1\n  -2\n  +3\n")
    }

    @Test mutating func aNewFileHasOnlyAddedLines() throws {
        let content = #""title":"Edit","content":[\#(Self.diff(nil, "1\n2"))]"#
        #expect(
            try ask(content) == """
                ? permission: Edit
                  diff a (new file) +2
                  +1
                  +2
                  \\ No newline at end of file

                """)
    }

    @Test mutating func carriageReturnsAreShownIfTheyChange() throws {
        let same = #""title":"A","content":[\#(Self.diff("1\r\n2\r\n", "1\r\n3\r\n"))]"#
        #expect(try ask(same).hasSuffix("\n   1\n  -2\n  +3\n"))
        let other = #""title":"B","content":[\#(Self.diff("1\r\n2\r\n", "1\r\n2\n"))]"#
        #expect(try ask(other).hasSuffix("\n   1\n  -2⏎\n  +2\n"))
    }

    @Test mutating func hiddenCharactersOfAChangeAreVisible() throws {
        let content = #""title":"A","content":[\#(Self.diff("", "\u{1b}[2J\tx\u{202e}\u{200b}\rFAKE\n"))]"#
        #expect(try ask(content).hasSuffix("\n  +<U+001B>[2J    x<U+202E><U+200B>⏎FAKE\n"))
    }

    @Test mutating func aLongChangeIsCutAndSaysHowToSeeTheRest() throws {
        let lines = (0..<100).map { "\($0)\n" }.joined()
        let content = #""title":"A","content":[\#(Self.diff(nil, lines)),\#(Self.diff(nil, "x\n", path: "b"))]"#
        let shown = try ask(content).split(separator: "\n").map(String.init)
        #expect(shown.count == 65)
        #expect(
            shown.suffix(4) == [
                "  +59", "  … 40 more lines: see acpbridge open or answer --json",
                "  diff b (new file) +1", "  … 1 more line: see acpbridge open or answer --json",
            ])
    }

    @Test mutating func aLongLineIsCutAroundItsDifference() throws {
        let (head, tail) = (String(repeating: "a", count: 1_000), String(repeating: "z", count: 1_000))
        let content = #""title":"A","content":[\#(Self.diff("\(head)1\(tail)\n", "\(head)2\(tail)\n"))]"#
        let shown = try ask(content).split(separator: "\n").map(String.init)
        let (lead, rest) = (String(repeating: "a", count: 40), String(repeating: "z", count: 199))
        #expect(
            shown.suffix(2) == [
                "  -[960 characters]…\(lead)1\(rest)…[801 more characters]",
                "  +[960 characters]…\(lead)2\(rest)…[801 more characters]",
            ])
    }

    @Test mutating func onlySomeChangesOfOneCallAreShown() throws {
        let all = (0..<25).map { Self.diff(nil, "", path: "f\($0)") }.joined(separator: ",")
        let shown = try ask(#""title":"A","content":[\#(all)]"#).split(separator: "\n")
        #expect(shown.count == 22)
        #expect(shown.last == "  … 5 more changes")
    }

    @Test func coloursSurroundWholeLines() throws {
        var coloured = SessionRenderer(hasColour: true, remembers: true, showsContents: true)
        let call = #"{"toolCallId":"t",\#(Self.edit)}"#
        let shown = coloured.render(.permissionRequest, try json(#"{"params":{"toolCall":\#(call)}}"#)).text
        #expect(shown.hasSuffix("\u{1b}[31m  -2\u{1b}[0m\n\u{1b}[32m  +3\u{1b}[0m\n"))
    }

    @Test mutating func aPatchOfVersion2IsShown() throws {
        let patch = "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n 1\n-2\n+3\n\\ No newline at end of file\n"
        let item =
            #"{"type":"diff","changes":[{"operation":"modify","path":"a"}],"#
            + #""patch":{"format":"git_patch","text":\#(Self.string(patch))}}"#
        let call = #"{"toolCallId":"t","content":[\#(item)]}"#
        let request = #"{"params":{"title":"Edit?","subject":{"type":"tool_call","toolCall":\#(call)}}}"#
        #expect(
            renderer.render(.permissionRequest, try json(request)).text == """
                ? permission: Edit?
                  diff a
                  @@ -1,2 +1,2 @@
                   1
                  -2
                  +3
                  \\ No newline at end of file

                """)
    }

    @Test func withoutContentsOnlyPathsAreShown() throws {
        var renderer = SessionRenderer(hasColour: false, remembers: true, showsContents: false)
        let request = #"{"params":{"toolCall":{"toolCallId":"t",\#(Self.edit)}}}"#
        #expect(renderer.render(.permissionRequest, try json(request)).text == "? permission: Edit\n")
        let update = #"{"sessionUpdate":"tool_call_update","toolCallId":"t",\#(Self.edit),"status":"completed"}"#
        let shown = renderer.render(.update, try json(#"{"params":{"update":\#(update)}}"#)).text
        #expect(shown == "✓ Edit\n  diff a\n")
    }

    @Test func pagesWithoutMemoryDoNotRepeatTheChangeThatWasShownLast() throws {
        var first = SessionRenderer(hasColour: false, remembers: false, showsContents: true)
        let update = #"{"sessionUpdate":"tool_call","toolCallId":"t",\#(Self.edit)}"#
        #expect(first.render(.update, try json(#"{"params":{"update":\#(update)}}"#)).text.hasSuffix("  +3\n"))
        var second = SessionRenderer(hasColour: false, remembers: false, showsContents: true)
        second.change = first.change
        let request = try json(#"{"params":{"toolCall":{"toolCallId":"t",\#(Self.edit)}}}"#)
        #expect(second.render(.permissionRequest, request).text == "? permission: Edit\n")
        var third = SessionRenderer(hasColour: false, remembers: false, showsContents: true)
        #expect(third.render(.permissionRequest, request).text.hasSuffix("  +3\n"))
    }

    @Test mutating func aLargeChangeIsShownWithItsCounts() throws {
        let old = (0..<40_000).map { "let value\($0) = \($0)" }
        let (text, reversed) = (old.joined(separator: "\n"), old.reversed().joined(separator: "\n"))
        let content = #""title":"A","content":[\#(Self.diff(text, reversed))]"#
        #expect(try ask(content).contains("  diff a +40000 -40000\n"))
    }

    // MARK: Commands

    @Test mutating func aPermissionRequestShowsTheCommandIfItsTitleDoesNot() throws {
        let input = #""rawInput":{"command":["rm","-r","x\ny"]}"#
        #expect(try ask(#""title":"Clean",\#(input)"#) == "? permission: Clean\n  $ rm -r x⏎y\n")
        #expect(try ask(#""title":"`make`","rawInput":{"command":"make"}"#) == "? permission: `make`\n")
        #expect(try ask(#""title":"make","rawInput":{"command":"make"}"#) == "? permission: make\n")
    }

    @Test mutating func aCommandShowsTheEndOfItsOutputWhenItEnds() throws {
        let output = (1...12).map { "line \($0)\n" }.joined()
        #expect(
            try call(#""title":"make","kind":"execute","status":"in_progress","content":[]"#, "tool_call") == "… make\n"
        )
        #expect(try call(#""content":[\#(Self.text("line 1\n"))]"#).isEmpty)
        #expect(
            try call(#""status":"completed","content":[\#(Self.text(output))]"#)
                == "✓ make\n  … 2 earlier lines\n" + (3...12).map { "  line \($0)\n" }.joined())
    }

    @Test mutating func anOutputLosesItsFenceAndItsEscapeSequences() throws {
        _ = try call(#""title":"make","kind":"execute","status":"pending""#, "tool_call")
        let output = Self.text("```console\n\u{1b}[31mred\u{1b}[0m\r\n\u{202e}b\n```")
        #expect(try call(#""status":"completed","content":[\#(output)]"#) == "✓ make\n  red\n  <U+202E>b\n")
    }

    @Test mutating func otherCallsShowTheirTextOnlyIfTheyFail() throws {
        _ = try call(#""title":"Read","kind":"read","status":"pending""#, "tool_call")
        #expect(try call(#""status":"completed","content":[\#(Self.text("secret"))]"#) == "✓ Read\n")
        let reason = Self.text("no such file")
        #expect(try call(#""status":"failed","content":[\#(reason)]"#) == "✗ Read\n  no such file\n")
    }

    @Test mutating func theDescriptionOfACallThatHasNotBegunIsNotItsOutput() throws {
        let call = #""title":"make","kind":"execute","content":[\#(Self.text("Runs the tests"))]"#
        #expect(try self.call(#"\#(call),"status":"pending""#, "tool_call").isEmpty)
        #expect(try ask(call) == "? permission: make\n")
        #expect(try self.call(#""status":"completed""#) == "✓ make\n")
    }

    @Test mutating func anOutputThatIsOnlyRawIsShown() throws {
        _ = try call(#""title":"make","kind":"execute","status":"pending""#, "tool_call")
        #expect(try call(#""status":"completed","rawOutput":{"output":"ok\n"}"#) == "✓ make\n  ok\n")
    }
}
