import JSONScan
import TerminalText
import Testing
import Tinyvex

@testable import SessionText

@Suite struct UnifiedDiffTests {
    private func lines(_ old: String?, _ new: String, path: String = "/w/a.txt") -> [String] {
        UnifiedDiff(FileChange(path: path, .texts(old: old, new: new)), in: "/w").lines.map(\.text)
    }

    @Test func aNewFileHasNoOldSide() {
        #expect(
            lines(nil, "one\ntwo\n") == [
                "diff --git a/a.txt b/a.txt", "new file mode 100644", "--- /dev/null", "+++ b/a.txt", "@@ -0,0 +1,2 @@",
                "+one", "+two",
            ])
        #expect(lines(nil, "") == ["diff --git a/a.txt b/a.txt", "new file mode 100644"])
    }

    @Test func anEmptiedFileBeginsBeforeItsFirstLine() {
        #expect(lines("one\n", "").dropFirst(3) == ["@@ -1 +0,0 @@", "-one"])
    }

    @Test func eachHunkHasItsPlaceInBothTexts() {
        let old = (1...30).map { "line \($0)\n" }.joined()
        let new = old.replacing("line 5\n", with: "five\nand more\n").replacing("line 25\n", with: "")
        #expect(lines(old, new).filter { $0.hasPrefix("@@") } == ["@@ -2,7 +2,8 @@", "@@ -22,7 +23,6 @@"])
        let diff = UnifiedDiff(FileChange(path: "x", .texts(old: old, new: new)), in: nil)
        #expect((diff.addedCount, diff.removedCount) == (2, 2))
    }

    @Test func aLineWithoutALineFeedIsMarkedOnEachSide() {
        #expect(lines("a\nb", "a\nc").suffix(5) == [" a", "-b", UnendedMark.text, "+c", UnendedMark.text])
        #expect(lines("a\nb", "x\nb").suffix(4) == ["-a", "+x", " b", UnendedMark.text])
    }

    private enum UnendedMark { static let text = "\\ No newline at end of file" }

    /// Line differences for people read 20,000 lines at most.
    @Test func aLargeChangeIsWhole() {
        let new = (0..<30_000).map { "\($0)\n" }.joined()
        let shown = lines("old\n", new)
        #expect(shown.count == 3 + 1 + 1 + 30_000)
        #expect(shown.last == "+29999")
    }

    @Test func pathsAreRelativeToTheFolderAndQuotedAsByGit() {
        #expect(lines(nil, "x\n", path: "/w/sub dir/b")[3] == "+++ b/sub dir/b\t")
        #expect(lines(nil, "x\n", path: "/etc/b")[3] == "+++ b/etc/b")
        #expect(lines(nil, "x\n", path: "/wide/b")[3] == "+++ b/wide/b")
        #expect(lines(nil, "x\n", path: "/w/a\"\n\u{e4}")[3] == #"+++ "b/a\"\n\303\244""#)
    }

    @Test func aPatchOfTheAgentStaysAsItIs() throws {
        let patch = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-- a\n+++ b\n"
        let diff = UnifiedDiff(FileChange(path: "/w/x", .patch(patch)), in: "/w")
        #expect(diff.lines.map { $0.text + "\n" }.joined() == patch)
        #expect((diff.addedCount, diff.removedCount) == (1, 1), "after the header, these are changed lines")
        let bare = UnifiedDiff(FileChange(path: "/w/x", .patch("@@ -1 +1 @@\n-a\n+b\n")), in: "/w")
        #expect(bare.lines.prefix(2).map(\.text) == ["--- a/x", "+++ b/x"])
    }

    private static func item(patch: String) throws -> JSONValue {
        let text = JSONWriter.object { writer in
            writer.member("type", "diff")
            writer.memberObject("patch") { writer in
                writer.member("format", "git_patch")
                writer.member("text", patch)
            }
        }
        return try JSONValue(validating: text)
    }

    /// In Swift, CR and LF together are one character, which is not the character LF.
    @Test func aPatchWithCarriageReturnsHidesNoChange() throws {
        let patch = [
            "diff --git a/safe.txt b/safe.txt", "--- a/safe.txt", "+++ b/safe.txt", "@@ -1 +1 @@", "-a", "+b",
            "diff --git a/hidden.sh b/hidden.sh", "--- a/hidden.sh", "+++ b/hidden.sh", "@@ -1 +1,2 @@", " c", "+d",
        ].map { $0 + "\r\n" }.joined()
        let changes = FileChange.all(try Self.item(patch: patch))
        #expect(changes.map(\.path) == ["safe.txt", "hidden.sh"])
        let diffs = changes.map { UnifiedDiff($0, in: nil) }
        #expect(diffs.map { [$0.addedCount, $0.removedCount] } == [[1, 1], [1, 0]])
        #expect(diffs.flatMap(\.lines).map { $0.text + "\n" }.joined() == patch)
    }

    @Test func aPatchOfAFileWithCarriageReturnsIsCountedByLines() throws {
        let patch = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n same\r\n-a\r\n+b\r\n"
        let changes = FileChange.all(try Self.item(patch: patch))
        let diff = UnifiedDiff(try #require(changes.first), in: nil)
        #expect((diff.addedCount, diff.removedCount) == (1, 1))
        #expect(diff.lines.map(\.kind) == [.header, .header, .hunk, .same, .removed, .added])
    }

    @Test func aCombiningMarkDoesNotHideAnAddedLine() {
        let diff = UnifiedDiff(FileChange(path: "x", .patch("@@ -1 +1 @@\n-\u{301}a\n+\u{301}b\n")), in: nil)
        #expect((diff.addedCount, diff.removedCount) == (1, 1))
    }

    @Test func anotherFormOfOneLetterIsAChange() {
        #expect(!FileChange(path: "x", .texts(old: "\u{e9}", new: "e\u{301}")).isEmpty)
        var change = FileChange(path: "x", .texts(old: "a", new: "\u{e9}"))
        let isJoined = change.join(FileChange(path: "x", .texts(old: "e\u{301}", new: "b")))
        #expect(!isJoined)
    }

    @Test func statisticsAlignNamesAndScaleSigns() {
        let many = (0..<80).map { "\($0)\n" }.joined()
        let diffs = [
            UnifiedDiff(FileChange(path: "long-name", .texts(old: nil, new: many)), in: nil),
            UnifiedDiff(FileChange(path: "x", .texts(old: "a\n", new: "b\n")), in: nil),
            UnifiedDiff(FileChange(path: "x", .texts(old: "c\n", new: "b\n")), in: nil),
        ]
        let lines = DiffStatistics(diffs).lines(hasColour: false, columns: \.count).map(\.text)
        #expect(
            lines == [
                " long-name | 80 " + String(repeating: "+", count: 40), " x         |  4 +-",
                " 2 files changed, 82 insertions(+), 2 deletions(-)",
            ])
    }

    @Test func foreignTextIsFilteredForATerminal() {
        let diff = UnifiedDiff(FileChange(path: "x", .texts(old: nil, new: "\u{1b}[2Jgone\n")), in: nil)
        let shown = diff.lines.map { $0.shown(hasColour: true).text }
        #expect(shown.allSatisfy { !$0.contains("\u{1b}[2J") })
        #expect(shown.last?.hasPrefix("\u{1b}[32m+") == true)
    }
}

@Suite struct SessionChangesTests {
    private var changes = SessionChanges()

    private mutating func add(_ update: String, session: String = "s", time: String = "1") throws {
        let text = #"{"params":{"sessionId":"s","update":\#(update)}}"#
        changes.add(.update, try JSONValue(validating: Array(text.utf8)), session: session, time: time)
    }

    private mutating func call(
        _ id: String, _ status: String, _ path: String, _ old: String?, _ new: String, time: String = "1",
        session: String = "s"
    ) throws {
        let texts = (old.map { #""oldText":"\#($0)","# } ?? "") + #""newText":"\#(new)""#
        try add(
            #"{"sessionUpdate":"tool_call","toolCallId":"\#(id)","status":"\#(status)","content":[{"type":"diff","path":"\#(path)",\#(texts)}]}"#,
            session: session, time: time)
    }

    private mutating func end(_ id: String, _ status: String) throws {
        try add(
            #"{"sessionUpdate":"tool_call_update","toolCallId":"\#(id)","status":"\#(status)","content":[{"type":"content","content":{"type":"text","text":"done"}}]}"#
        )
    }

    private func texts(_ path: String, _ old: String?, _ new: String) -> FileChange {
        FileChange(path: path, .texts(old: old, new: new))
    }

    @Test mutating func textsThatFollowEachOtherAreOneChange() throws {
        try call("1", "completed", "b", nil, "one")
        try call("2", "completed", "a", "x", "y")
        try call("3", "completed", "b", "one", "two")
        try call("4", "completed", "b", "other", "three")
        #expect(changes.made == [texts("a", "x", "y"), texts("b", nil, "two"), texts("b", "other", "three")])
    }

    @Test mutating func aChangeThatIsTakenBackIsNone() throws {
        try call("1", "completed", "a", "x", "y")
        try call("2", "completed", "a", "y", "x")
        #expect(changes.made.isEmpty)
    }

    @Test mutating func onlyCallsThatAreDoneHaveChangedFiles() throws {
        for (id, status) in [("1", "completed"), ("2", "failed"), ("3", "cancelled"), ("4", "in_progress")] {
            try call(id, "pending", id, "x", "y")
            #expect(changes.openCount == 1)
            try end(id, status)
        }
        #expect(changes.made.map(\.path) == ["1"], "the result of a call can replace its diff")
        #expect(changes.openCount == 1)
    }

    @Test(arguments: [("yes", true), ("no", false)])
    mutating func aRejectedCallHasChangedNothing(answer: String, isMade: Bool) throws {
        let call =
            #"{"sessionUpdate":"tool_call","toolCallId":"1","content":[{"type":"diff","path":"a","newText":"y"}]}"#
        try add(call)
        let request =
            #"{"requestId":5,"params":{"toolCall":{"toolCallId":"1"},"options":[{"optionId":"yes","kind":"allow_once"},{"optionId":"no","kind":"reject_once"}]}}"#
        changes.add(.permissionRequest, try JSONValue(validating: Array(request.utf8)), session: "s", time: "2")
        #expect(changes.made.isEmpty && changes.openCount == 1)
        let data = #"{"requestId":5,"result":{"outcome":{"outcome":"selected","optionId":"\#(answer)"}}}"#
        changes.add(.permissionAnswer, try JSONValue(validating: Array(data.utf8)), session: "s", time: "3")
        #expect(changes.made.isEmpty != isMade)
        #expect(changes.openCount == 0)
    }

    @Test mutating func aLaterCallCanHaveTheIdOfAnEarlierOne() throws {
        try call("1", "completed", "a", nil, "x")
        try call("1", "completed", "b", nil, "y")
        try add(#"{"sessionUpdate":"tool_call","toolCallId":"1","status":"in_progress"}"#)
        try end("1", "failed")
        #expect(changes.made.map(\.path) == ["a", "b"])
    }

    @Test mutating func callsOfSubagentsAreOrderedByTheirTimes() throws {
        try call("1", "completed", "a", "one", "two", time: "5")
        try call("1", "completed", "a", nil, "one", time: "3", session: "child")
        #expect(changes.made == [texts("a", nil, "two")])
    }

    @Test mutating func aPatchOfSeveralFilesIsDivided() throws {
        let patch =
            #"diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\ndiff --git a/y b/y\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-c\n+d"#
        let item =
            #"{"type":"diff","changes":[{"path":"/w/x"},{"path":"/w/y"}],"patch":{"format":"git_patch","text":"\#(patch)"}}"#
        try add(#"{"sessionUpdate":"tool_call_content_chunk","toolCallId":"1","content":\#(item)}"#)
        try end("1", "completed")
        #expect(changes.made.map(\.path) == ["/w/x", "/w/y"])
        #expect(
            changes.made.last
                == FileChange(path: "/w/y", .patch("diff --git a/y b/y\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-c\n+d\n")))
    }

    @Test func pathsSelectFilesAndFolders() {
        let change = texts("/w/src/a.txt", nil, "x")
        for path in ["src", "src/", "./src/a.txt", "src/a.txt", ".", "/w", "/w/src", "/"] {
            #expect(change.isAt(path, in: "/w"), "\(path)")
        }
        for path in ["sr", "a.txt", "/src", "src/a.txt/b", "/w/src/a"] {
            #expect(!change.isAt(path, in: "/w"), "\(path)")
        }
        #expect(texts("src/a", nil, "x").isAt("src", in: nil))
    }

    @Test mutating func changesBeyondTheLimitAreCounted() throws {
        changes = SessionChanges(limitBytes: 1_000)
        try call("1", "completed", "a", nil, String(repeating: "x", count: 700))
        try call("2", "completed", "b", nil, String(repeating: "x", count: 200))
        try call("3", "completed", "c", nil, "12")
        #expect(changes.made.map(\.path) == ["a", "c"])
        #expect(changes.omittedCount == 1)
    }
}
