import ArgumentParsing
import Invocations
import TextSearch

/// The command line of `acpbridge`. Parser, help, man page and completion scripts are all generated from one table
/// of subcommands (`Subcommand`). The module is pure: it reads no environment, opens no file and prints nothing.
package enum CommandLineInterface {
    /// Parses the arguments.
    ///
    /// If the first word begins with `-` or is missing, the subcommand is `stdio`; any other first word must be a
    /// subcommand.
    ///
    /// - Parameters:
    ///   - arguments: The arguments without the program's name.
    ///   - url: The value of `ACPBRIDGE_URL`, for a subcommand with the option `--url` if that is not written.
    /// - Throws: `UsageError` for wrong usage. Print it on standard error and exit with 64 (`EX_USAGE`).
    package static func parse(_ arguments: [String], url: String? = nil) throws(UsageError) -> Invocation {
        // Making the table of options takes longer than the rest of the answer.
        if arguments == ["--version"] { return .version }
        guard let first = arguments.first, first.utf8.first != UInt8(ascii: "-") else {
            return try Subcommand.stdio.parse(arguments[...], nil)
        }
        // `init(rawValue:)` would make a table of all names first.
        let named = SubcommandName.allCases.first { $0.rawValue == first }
        guard let name = named else { throw .unknownSubcommand(first) }
        let words = arguments.dropFirst()
        guard let url, !url.isEmpty, name.subcommand.takesURL(words) else {
            return try name.subcommand.parse(words, name)
        }
        do {
            return try name.subcommand.parse(["--url=\(url)"] + words, name)
        } catch {
            throw error.message.contains(text: "--url") ? error.named(byVariable: url) : error
        }
    }

    /// The help page of a subcommand, or the overview if `topic` is nil: ASCII, 80 columns, with a line feed at the
    /// end.
    package static func help(about topic: SubcommandName?) -> String {
        guard let topic else { return HelpPage.overview.text }
        return HelpPage(topic.subcommand).text
    }

    /// The manual page in roff (`man 1`), for `man -l -` or a file `acpbridge.1`. The page contains no date, so
    /// that each version always generates the same bytes.
    package static func manPage(version: String) -> String { ManPage(version: version).text }

    /// The completion script for a shell, for `source` or for a file in the shell's completion directory.
    package static func completions(for shell: Shell) -> String {
        switch shell {
        case .bash: BashCompletions.script
        case .zsh: ZshCompletions.script
        case .fish: FishCompletions.script
        }
    }
}

extension Subcommand {
    /// The subcommand has the option `--url`, and the words neither have it nor ask for help.
    fileprivate func takesURL(_ words: ArraySlice<String>) -> Bool {
        let isWritten = words.prefix { $0 != "--" }.contains {
            $0 == "--url" || $0.hasPrefix("--url=") || ["-h", "--help", "--version"].contains($0)
        }
        return !isWritten && visibleOptions.contains { $0.matches("--url") }
    }
}

extension UsageError {
    fileprivate func named(byVariable url: String) -> UsageError {
        let source = "ACPBRIDGE_URL is set to '\(url)'; unset it to use your own bridge."
        return UsageError(message, hint: [hint, source].compactMap(\.self).joined(separator: " "), topic: topic)
    }
}
