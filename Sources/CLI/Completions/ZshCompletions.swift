import ArgumentParsing
import Invocations

/// The completion script for zsh: a function for `fpath`. The file can also be sourced after `compinit`.
enum ZshCompletions {
    static var script: String {
        """
        #compdef acpbridge

        _acpbridge_sessions() {
            local -a ids
            ids=(latest ${(f)"$(\(CompletionSource.sessions))"})
            compadd "$@" -a ids
        }

        _acpbridge_running() {
            local -a ids
            ids=(latest ${(f)"$(\(CompletionSource.runningSessions))"})
            compadd "$@" -a ids
        }

        _acpbridge_ended() {
            local -a ids
            ids=(latest ${(f)"$(\(CompletionSource.endedSessions))"})
            compadd "$@" -a ids
        }

        _acpbridge_agents() {
            local -a names
            names=(${(f)"$(\(CompletionSource.agents))"})
            compadd "$@" -a names
        }

        _acpbridge_bridges() {
            local -a names
            names=(${(f)"$(\(CompletionSource.bridges))"})
            compadd "$@" -a names
        }

        # _arguments has the operands before the cursor in 'line'.
        _acpbridge_settings() {
            local -a names
            names=(${(f)"$(\(CompletionSource.settings(of: "$line[1]")))"})
            compadd "$@" -a names
        }

        _acpbridge_values() {
            local -a names
            names=(${(f)"$(\(CompletionSource.settingValues(of: "$line[2]", of: "$line[1]")))"})
            compadd "$@" -a names
        }

        _acpbridge() {
            local -a subcommands
            subcommands=(
        \(subcommands)
            )
            if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
                _describe -t commands subcommand subcommands
                return
            fi
            local subcommand=stdio
            if [[ $words[2] != -* ]]; then
                subcommand=$words[2]
                shift words
                (( CURRENT-- ))
            fi
            case $subcommand in
        \(cases)
            esac
        }

        # When compinit loads this file, call the function; when the file is sourced, only register it.
        if [[ $funcstack[1] == _acpbridge ]]; then
            _acpbridge "$@"
        else
            compdef _acpbridge acpbridge
        fi

        """
    }

    private static var subcommands: String {
        let rows = SubcommandName.allCases.map(\.subcommand).map { subcommand in
            "\(subcommand.name.rawValue):\(subcommand.abstract)".shellQuoted
        }
        return rows.map { "        \($0)" }.joined(separator: "\n")
    }

    private static var cases: String {
        SubcommandName.allCases.map(\.subcommand).map { subcommand in
            let specs =
                subcommand.visibleOptions.flatMap(specs)
                + subcommand.operands.enumerated().map { spec($0.element, place: $0.offset + 1) }
            let lines =
                ["    (\(subcommand.name.rawValue))", "        _arguments -S \\"]
                + specs.dropLast().map { "            \($0) \\" } + specs.suffix(1).map { "            \($0)" }
                + ["        ;;"]
            return lines.joined(separator: "\n")
        }.joined(separator: "\n")
    }

    private static func specs(_ option: OptionDescription) -> [String] {
        let help = "[\(escaped(CompletionSource.summary(option.help)))]"
        guard let valueName = option.valueName else {
            // --help and --version make all other arguments irrelevant.
            let excluded = option.isCommon ? "(- *)" : ""
            let names = (option.shortName.map { ["-\($0)"] } ?? []) + [option.longName]
            return names.map { "\(excluded)\($0)\(help)".shellQuoted }
        }
        let value = "\(escaped(valueName)):\(action(option.completion, option.choices, valueName))"
        return ["\(option.isRepeatable ? "*" : "")\(option.longName)=\(help):\(value)".shellQuoted]
    }

    /// - Parameter place: 1 for the first operand. Without the place of an optional one, zsh also offers the next operand.
    private static func spec(_ operand: OperandDescription, place: Int) -> String {
        let action = action(operand.completion, operand.choices, operand.name)
        let single = operand.isRequired ? "\(place):" : "\(place)::"
        let place = operand.takesRest ? "*:::" : operand.isRepeatable ? "*:" : single
        return "\(place)\(escaped(operand.name)):\(action)".shellQuoted
    }

    private static func action(_ completion: CompletionHint, _ choices: [String], _ name: String) -> String {
        switch completion {
        case .nothing: " "
        case .choice: "(\(choices.joined(separator: " ")))"
        case .list: "_sequence compadd - \(choices.joined(separator: " "))"
        case .file: "_files"
        case .listed(let list): "_acpbridge_\(list)"
        case .command: "_normal"
        }
    }

    /// Escapes a part of an `_arguments` specification.
    private static func escaped(_ text: String) -> String {
        text.replacingEach(["\\": "\\\\", ":": "\\:", "[": "\\[", "]": "\\]"])
    }
}
