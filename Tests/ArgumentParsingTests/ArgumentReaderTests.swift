import Testing

@testable import ArgumentParsing

/// Reads the arguments of a small command that exists only in this test.
@Suite struct ArgumentReaderTests {
    struct Copy: Equatable {
        var source = ""
        var others: [String] = []
        var limit: Duration?
        var isQuiet = false
    }

    private static let syntax = Syntax<Copy, Copy>(
        initial: Copy(),
        options: [
            .flag("quiet", sets: \.isQuiet, help: "Print nothing."),
            .value("limit", "TIME", into: \.limit, help: "Give up after this time."),
        ],
        operands: [
            .required("SOURCE", into: \.source, hintIfMissing: "Name a file.", help: "The file to copy."),
            .words("OTHER", into: \.others, help: "More files."),
        ],
        finish: { (copy, topic) throws(UsageError) in
            guard !copy.isQuiet || copy.limit == nil else {
                throw UsageError("'--quiet' and '--limit' cannot be used together.", topic: topic)
            }
            return copy
        })

    private func read(_ line: String, owners: [String] = []) throws(UsageError) -> ParsedArguments<Copy> {
        let words = line.split(separator: " ").map(String.init)
        let topic = CommandTopic(program: "tool", subcommand: "copy", defaultSubcommand: "copy")
        return try ArgumentReader(Self.syntax, words: words[...], topic: topic, owners: { _ in owners }).read()
    }

    private func error(_ line: String, owners: [String] = []) -> UsageError? {
        #expect(throws: UsageError.self) { try read(line, owners: owners) }
    }

    @Test(arguments: ["a b --limit 5s", "a --limit=5s b", "--limit 5s -- a b", "a -- b --limit", "--limit=5 a b"])
    func optionsAndOperandsCanBeMixedUntilTwoDashes(line: String) throws {
        guard case .outcome(let copy) = try read(line) else {
            Issue.record("the words are a request")
            return
        }
        #expect(copy.source == "a")
        #expect(copy.limit == .seconds(5) || copy.others == ["b", "--limit"])
    }

    @Test func aRequestForHelpIsReturnedBeforeLaterErrors() throws {
        guard case .request(.help) = try read("a -h --unknown") else {
            Issue.record("the words are not a request")
            return
        }
    }

    @Test func aCheckOfSeveralValuesCanRejectTheCommand() {
        #expect(error("a --quiet --limit 1s")?.message == "'--quiet' and '--limit' cannot be used together.")
    }

    @Test func anOptionOfOtherCommandsIsNamedWithThem() {
        let error = error("a --force", owners: ["move", "remove"])
        #expect(error?.message == "'--force' is an option of 'tool move' and 'tool remove', not of 'tool copy'.")
        #expect(error?.description.hasSuffix("Try 'tool help copy'.") == true)
    }

    @Test func aMissingOperandIsReportedWithItsHint() {
        #expect(error("--quiet")?.message == "Missing argument: SOURCE.")
        #expect(error("--quiet")?.hint == "Name a file.")
    }
}
