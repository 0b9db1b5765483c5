/// The command line of `acpbridge`: parser, help, man page and completion scripts, all made from one table of
/// subcommands (`Subcommand`). Pure: it reads no environment, opens no file and prints nothing.
public enum CommandLineInterface {
    /// What the arguments ask for.
    ///
    /// A first word that begins with `-`, or none, means `stdio`; any other has to be a subcommand.
    ///
    /// - Parameter arguments: The arguments without the program's name.
    /// - Throws: `UsageError` for wrong usage. Print it on standard error and exit with 64 (`EX_USAGE`).
    public static func parse(_ arguments: [String]) throws(UsageError) -> Invocation {
        guard let first = arguments.first, first.utf8.first != UInt8(ascii: "-") else {
            return try Subcommand.stdio.parse(arguments[...], nil)
        }
        guard let name = SubcommandName(rawValue: first) else { throw .unknownSubcommand(first) }
        return try name.subcommand.parse(arguments.dropFirst(), name)
    }

    /// The help page of a subcommand, or the overview where `topic` is nil: ASCII, 80 columns, ending in a line feed.
    public static func help(about topic: SubcommandName?) -> String {
        guard let topic else { return HelpPage.overview.text }
        return HelpPage(topic.subcommand).text
    }

    /// The manual page in roff (`man 1`), for `man -l -` or a file `acpbridge.1`. It names no date, so that the same
    /// version always gives the same bytes.
    public static func manPage(version: String) -> String {
        ManPage(version: version).text
    }

    /// The completion script for a shell: for `source`, or for a file in the shell's folder of completions.
    public static func completions(for shell: Shell) -> String {
        switch shell {
        case .bash: BashCompletions.script
        case .zsh: ZshCompletions.script
        case .fish: FishCompletions.script
        }
    }
}
