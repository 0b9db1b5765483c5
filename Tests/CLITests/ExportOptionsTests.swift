import Invocations
import Testing

@Suite struct ExportOptionsTests {
    @Test(
        arguments: [
            (nil, .ndjson), ("x", .ndjson), ("x.md", .markdown), ("a.html/x", .ndjson), ("/a/x.HTML", .html),
            ("x.cast", .asciicast), ("x.jsonl", .ndjson), (".md", .ndjson), ("-", .ndjson),
        ] as [(String?, ExportFormat)])
    func theNameOfTheFileChoosesTheFormat(output: String?, format: ExportFormat) {
        #expect(ExportOptions(session: "s", output: output).fileFormat == format)
        #expect(ExportOptions(session: "s", format: .html, output: output).fileFormat == .html)
    }
}
