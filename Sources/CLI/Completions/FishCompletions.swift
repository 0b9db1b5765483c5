import ArgumentParsing
import Invocations

/// The completion script for fish 3 and later.
enum FishCompletions {
    static var script: String {
        let rows = SubcommandName.allCases.map(\.subcommand).flatMap { subcommand in
            [""] + subcommand.visibleOptions.map { row($0, of: subcommand) }
                + subcommand.operands.enumerated().compactMap { row($0.element, at: $0.offset, of: subcommand) }
        }
        return ([functions, "complete -c acpbridge -f"] + names + rows).joined(separator: "\n") + "\n"
    }

    private static var functions: String {
        """
        # fish completion for acpbridge

        function __acpbridge_sessions
            echo latest
            \(CompletionSource.sessions)
        end

        function __acpbridge_running
            echo latest
            \(CompletionSource.runningSessions)
        end

        function __acpbridge_ended
            echo latest
            \(CompletionSource.endedSessions)
        end

        function __acpbridge_agents
            \(CompletionSource.agents)
        end

        function __acpbridge_bridges
            \(CompletionSource.bridges)
        end

        function __acpbridge_settings
            set -l named (__acpbridge_operands)
            \(CompletionSource.settings(of: "$named[1]"))
        end

        function __acpbridge_values
            set -l named (__acpbridge_operands)
            \(CompletionSource.settingValues(of: "$named[2]", of: "$named[1]"))
        end

        # Prints the operands of the subcommand before the cursor.
        function __acpbridge_operands
            set -l words (commandline -opc)
            set -l previous ''
            for word in $words[3..-1]
                string match -q -- '-*' $word; or contains -- $previous \(optionsWithValue); or echo $word
                set previous $word
            end
        end

        # Whether $argv[1] operands are before the cursor.
        function __acpbridge_after
            test (count (__acpbridge_operands)) -eq $argv[1]
        end

        # Whether the cursor is at the first word.
        function __acpbridge_first
            test (count (commandline -opc)) -eq 1
        end

        # Whether the subcommand is $argv[1] and there is no '--' yet. The default subcommand is stdio.
        function __acpbridge_in
            set -l words (commandline -opc)
            contains -- -- $words; and return 1
            string match -q -- '-*' "$words[2]"; and set words[2] stdio
            test "$words[2]" = ''; and set words[2] stdio
            test "$words[2]" = $argv[1]
        end

        # Whether the cursor is after '--', in the command line of a program.
        function __acpbridge_in_command
            contains -- -- (commandline -opc)
        end

        """
    }

    /// The options of all subcommands that take the next word.
    private static var optionsWithValue: String {
        let options = SubcommandName.allCases.flatMap(\.subcommand.visibleOptions).filter { $0.valueName != nil }
        return Set(options.map(\.longName)).sorted().joined(separator: " ")
    }

    private static var names: [String] {
        SubcommandName.allCases.map(\.subcommand).map { subcommand in
            let help = quoted(subcommand.abstract)
            return "complete -c acpbridge -n __acpbridge_first -a \(subcommand.name.rawValue) -d \(help)"
        }
    }

    private static func row(_ option: OptionDescription, of subcommand: Subcommand) -> String {
        let short = option.shortName.map { " -s \($0)" } ?? ""
        let value = option.valueName == nil ? "" : value(option.completion, option.choices)
        let help = quoted(CompletionSource.summary(option.help))
        return "\(condition(subcommand))\(short) -l \(option.name)\(value) -d \(help)"
    }

    private static func row(_ operand: OperandDescription, at place: Int, of subcommand: Subcommand) -> String? {
        // A repeatable operand is the last one.
        let condition = condition(subcommand, after: operand.isRepeatable ? nil : place)
        return switch operand.completion {
        case .command: "complete -c acpbridge -n __acpbridge_in_command -F -a '(__fish_complete_command)'"
        case .listed(let list): "\(condition) -a '(__acpbridge_\(list))'"
        case .choice: "\(condition) -a \(quoted(operand.choices.joined(separator: " ")))"
        case .nothing, .list, .file: nil
        }
    }

    /// - Parameter count: The operands before the cursor; nil for any number.
    private static func condition(_ subcommand: Subcommand, after count: Int? = nil) -> String {
        let place = count.map { "; and __acpbridge_after \($0)" } ?? ""
        return "complete -c acpbridge -n '__acpbridge_in \(subcommand.name.rawValue)\(place)'"
    }

    private static func value(_ completion: CompletionHint, _ choices: [String]) -> String {
        let words = choices.joined(separator: " ")
        return switch completion {
        case .nothing, .command: " -x"
        case .choice: " -x -a \(quoted(words))"
        case .list: " -x -a \(quoted("(__fish_append , \(words))"))"
        case .file: " -r -F"
        case .listed(let list): " -x -a '(__acpbridge_\(list))'"
        }
    }

    private static func quoted(_ text: String) -> String { "'\(text.replacingEach(["\\": "\\\\", "'": "\\'"]))'" }
}
