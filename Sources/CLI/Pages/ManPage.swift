import ArgumentParsing
import Invocations

/// The manual page, `acpbridge(1)`, in roff with the `man` macros that groff and mandoc share.
struct ManPage {
    let version: String

    /// Lines of roff, with a line feed at the end.
    var text: String { (head + commands + tables + examples).joined(separator: "\n") + "\n" }

    private var head: [String] {
        [".TH ACPBRIDGE 1 \"\" \(Roff.argument("acpbridge \(version)")) \"User Commands\""]
            // Disable hyphenation and justification, so that options and paths can be copied.
            + [".nh", ".ad l", ".SH NAME", Roff.text("acpbridge - \(Program.abstract)"), ".SH SYNOPSIS"]
            + synopses
            + [".SH DESCRIPTION"] + Roff.paragraphs(Program.discussion)
    }

    private var synopses: [String] {
        let all = SubcommandName.allCases.map(\.subcommand.synopsis)
        return all.flatMap { [".HP 4", Roff.synopsis($0)] } + [".HP 4", Roff.synopsis(["--version"])]
    }

    private var commands: [String] {
        let common = OptionDescription.common.flatMap { Roff.item($0.label, $0.help) }
        return [".SH OPTIONS", Roff.text("Every subcommand has these options:")] + common
            + [".SH SUBCOMMANDS"] + SubcommandName.allCases.flatMap { section($0.subcommand) }
    }

    private func section(_ subcommand: Subcommand) -> [String] {
        let options = subcommand.visibleOptions.filter { !$0.isCommon }
        return [".SS \(Roff.argument(subcommand.name.rawValue))"]
            + Roff.paragraphs([subcommand.abstract + "."] + subcommand.discussion)
            + subcommand.operands.flatMap { Roff.item($0.name, $0.help) }
            + options.flatMap { Roff.item($0.label, $0.helpWithDefault) }
    }

    private var tables: [String] {
        [".SH ENVIRONMENT"] + Program.environment.flatMap { Roff.item($0.name, $0.meaning) }
            + [".SH FILES"] + Program.files.flatMap { Roff.item($0.name, $0.meaning) }
            + [".SH EXIT STATUS"] + Program.exitStatuses.flatMap { Roff.item($0.name, $0.meaning) }
    }

    private var examples: [String] {
        let all = Program.examples + SubcommandName.allCases.flatMap(\.subcommand.examples)
        return [".SH EXAMPLES"]
            + all.flatMap { [".TP", Roff.text("\($0.purpose):"), ".nf", Roff.text($0.command), ".fi"] }
    }
}
