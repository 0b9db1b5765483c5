import ArgumentParsing
import Invocations

/// A help page, in the layout of Swift's ArgumentParser.
struct HelpPage {
    private var sections: [[String]] = []

    /// The page in ASCII, with a line feed at the end.
    var text: String {
        sections.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
    }

    init(_ subcommand: Subcommand) {
        addOverview(subcommand.abstract + ".", discussion: subcommand.discussion)
        addUsage([subcommand.synopsis])
        addTable("ARGUMENTS", subcommand.operands.map { ($0.name, $0.help) })
        addTable("OPTIONS", subcommand.visibleOptions.map { ($0.label, $0.helpWithDefault) })
        addExamples(subcommand.examples)
    }

    private init() {}

    static var overview: HelpPage {
        var page = HelpPage()
        page.addOverview("acpbridge - \(Program.abstract).", discussion: Program.discussion)
        page.addUsage(Program.synopses)
        page.addTable("OPTIONS", OptionDescription.common.map { ($0.label, $0.help) })
        page.addTable(
            "SUBCOMMANDS", SubcommandName.allCases.map(\.subcommand).map { ($0.listLabel, $0.abstract + ".") })
        page.sections.append(["  See 'acpbridge help SUBCOMMAND' for detailed help."])
        page.addTable("ENVIRONMENT", Program.environment.map { ($0.name, $0.meaning) })
        page.addTable("FILES", Program.files.map { ($0.name, $0.meaning) })
        page.addTable("EXIT STATUS", Program.exitStatuses.map { ($0.name, $0.meaning) })
        page.addExamples(Program.examples)
        return page
    }

    private mutating func addOverview(_ abstract: String, discussion: [String]) {
        sections.append(TextLayout.wrapped("OVERVIEW: \(abstract)"))
        sections += discussion.map { TextLayout.wrapped($0) }
    }

    private mutating func addUsage(_ synopses: [[String]]) {
        let lines = synopses.enumerated().flatMap { index, words in
            TextLayout.wrapped(words: words, first: index == 0 ? "USAGE: acpbridge" : "       acpbridge", indent: 11)
        }
        sections.append(lines)
    }

    private mutating func addTable(_ title: String, _ rows: [(label: String, text: String)]) {
        if rows.isEmpty { return }
        sections.append(["\(title):"] + rows.flatMap { TextLayout.row($0.label, $0.text) })
    }

    private mutating func addExamples(_ examples: [Example]) {
        let lines = examples.flatMap { TextLayout.wrapped("\($0.purpose):", indent: 2) + ["    \($0.command)"] }
        sections.append(["EXAMPLES:"] + lines)
    }
}

extension Subcommand {
    fileprivate var listLabel: String { name == .stdio ? "stdio (default)" : name.rawValue }
}
