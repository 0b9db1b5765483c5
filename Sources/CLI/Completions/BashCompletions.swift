import ArgumentParsing
import Invocations

/// The completion script for bash 4 and later. It does not need the bash-completion package.
enum BashCompletions {
    static var script: String {
        """
        # bash completion for acpbridge

        _acpbridge_sessions() {
            echo latest
            \(CompletionSource.sessions)
        }

        _acpbridge_running() {
            echo latest
            \(CompletionSource.runningSessions)
        }

        _acpbridge_ended() {
            echo latest
            \(CompletionSource.endedSessions)
        }

        _acpbridge_agents() {
            \(CompletionSource.agents)
        }

        _acpbridge_bridges() {
            \(CompletionSource.bridges)
        }

        # The caller has the operands before the cursor in 'named'.
        _acpbridge_settings() {
            \(CompletionSource.settings(of: #""${named[0]}""#))
        }

        _acpbridge_values() {
            \(CompletionSource.settingValues(of: #""${named[1]}""#, of: #""${named[0]}""#))
        }

        # Completes with the lines of standard input that begin with $1, and puts the text $2 before each.
        # Unlike 'compgen -W', it does not expand the lines.
        _acpbridge_offer() {
            local line
            while IFS= read -r line; do
                if [[ $line == "$1"* ]]; then COMPREPLY+=("${2-}$line"); fi
            done
        }

        # Completes the last word of a comma-separated list.
        _acpbridge_offer_list() {
            local last=${1##*,}
            _acpbridge_offer "$last" "${1%"$last"}"
        }

        _acpbridge_files() {
            compopt -o filenames 2>/dev/null
            _acpbridge_offer "$1" < <(compgen -f -- "$1")
        }

        # Returns whether the option takes the next word as its value. $1 is the subcommand, a space and the option.
        _acpbridge_takes_value() {
            case $1 in
        \(lines(of: [valuePattern], indent: 8))
            *) return 1 ;;
            esac
        }

        _acpbridge() {
            local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} subcommand=${COMP_WORDS[1]}
            local index=1 word operands=0
            local -a named=()
            COMPREPLY=()
            # Readline splits words at '=': '--from=st' arrives as '--from', '=' and 'st'.
            if [[ $cur == '=' ]]; then
                cur=
            elif [[ $prev == '=' ]]; then
                prev=${COMP_WORDS[COMP_CWORD-2]}
            fi
            if (( COMP_CWORD == 1 )); then
                [[ $cur == -* ]] || _acpbridge_offer "$cur" < <(\(printed(SubcommandName.choices)))
                subcommand=stdio
            elif [[ $subcommand == -* ]]; then
                subcommand=stdio
            else
                index=2
            fi
            # Counts the operands before the cursor.
            for (( ; index < COMP_CWORD; index++ )); do
                word=${COMP_WORDS[index]}
                if [[ $word == [:=]* ]]; then
                    # Readline has split a word: this part and the next one belong to the word before.
                    (( index++ ))
                elif [[ $subcommand == *' --' || $word != -?* ]]; then
                    (( operands++ ))
                    named+=("$word")
                elif [[ $word == -- ]]; then
                    subcommand="$subcommand --"
                elif [[ ${COMP_WORDS[index+1]} != '=' ]] && _acpbridge_takes_value "$subcommand $word"; then
                    (( index++ ))
                fi
            done
            case "$subcommand $prev" in
        \(lines(of: valueCases, indent: 8))
            esac
            if [[ $cur == -* ]]; then
                case $subcommand in
        \(lines(of: optionCases, indent: 12))
                esac
                return
            fi
            case "$subcommand $operands" in
        \(lines(of: operandCases, indent: 8))
            esac
        }

        complete -F _acpbridge acpbridge

        """
    }

    /// Completions for the values of options.
    private static var valueCases: [String] {
        SubcommandName.allCases.map(\.subcommand).flatMap { subcommand in
            subcommand.visibleOptions.filter { $0.valueName != nil }.map { option in
                let offer = offer(option.completion, option.choices)
                return "'\(subcommand.name.rawValue) \(option.longName)') \(offer.map { "\($0); " } ?? "")return ;;"
            }
        }
    }

    private static var valuePattern: String {
        let patterns = SubcommandName.allCases.map(\.subcommand).flatMap { subcommand in
            subcommand.visibleOptions.filter { $0.valueName != nil }
                .map { "'\(subcommand.name.rawValue) \($0.longName)'" }
        }
        return patterns.joined(separator: " | ") + ") ;;"
    }

    private static var optionCases: [String] {
        SubcommandName.allCases.map(\.subcommand).map { subcommand in
            let names = subcommand.visibleOptions.flatMap { option in
                (option.shortName.map { ["-\($0)"] } ?? []) + [option.longName]
            }
            return "\(subcommand.name.rawValue)) _acpbridge_offer \"$cur\" < <(\(printed(names))) ;;"
        }
    }

    private static var operandCases: [String] {
        SubcommandName.allCases.map(\.subcommand).flatMap { subcommand in
            let name = subcommand.name.rawValue
            return subcommand.operands.enumerated().flatMap { index, operand in
                guard !operand.takesRest else { return command(name) }
                // A repeatable operand is the last one.
                let place = operand.isRepeatable ? "*" : "\(index)"
                return offer(operand.completion, operand.choices)
                    .map { ["'\(name) '\(place) | '\(name) -- '\(place)) \($0) ;;"] } ?? []
            }
        }
    }

    /// Completions after `--`: a program first, then files.
    private static func command(_ name: String) -> [String] {
        [
            "'\(name) -- '*)",
            "    if [[ $prev == -- ]]; then _acpbridge_offer \"$cur\" < <(compgen -c -- \"$cur\"); fi",
            "    _acpbridge_files \"$cur\" ;;",
        ]
    }

    private static func offer(_ completion: CompletionHint, _ choices: [String]) -> String? {
        switch completion {
        case .nothing, .command: nil
        case .choice: "_acpbridge_offer \"$cur\" < <(\(printed(choices)))"
        case .list: "_acpbridge_offer_list \"$cur\" < <(\(printed(choices)))"
        case .file: "_acpbridge_files \"$cur\""
        case .listed(let list): "_acpbridge_offer \"$cur\" < <(_acpbridge_\(list))"
        }
    }

    private static func printed(_ words: [String]) -> String {
        "printf '%s\\n' \(words.joined(separator: " "))"
    }

    private static func lines(of lines: [String], indent: Int) -> String {
        lines.map { String(repeating: " ", count: indent) + $0 }.joined(separator: "\n")
    }
}
