import Testing

/// The completion script for bash, run by bash.
@Suite(.blocking) struct CompletionTests {
    /// The words that bash offers for the last word of each line; the last word can be empty.
    private func offers(_ lines: [String]) throws -> [String] {
        try BridgeHome.with { home in
            let script = """
                source <(acpbridge completions bash)
                _acpbridge_sessions() { printf '%s\\n' latest s1; }
                _acpbridge_running() { printf '%s\\n' latest r1; }
                _acpbridge_ended() { printf '%s\\n' latest e1; }
                _acpbridge_settings() { echo "s of ${named[0]}"; }
                _acpbridge_values() { echo "v of ${named[1]}"; }
                offer() { COMP_WORDS=("$@"); COMP_CWORD=$(( $# - 1 )); _acpbridge; echo "${COMPREPLY[*]}"; }

                """
            let outcome = try home.shell(script + lines.map { "offer acpbridge \($0)\n" }.joined())
            #expect(outcome.errorText.isEmpty)
            return outcome.outputText.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(
                String.init)
        }
    }

    @Test func sessionsAreOfferedOnlyWhereASessionIsExpected() throws {
        let expected = [
            ("set ''", "latest r1"), ("set r", "r1"), ("set latest ''", "s of latest"),
            ("set latest mode ''", "v of mode"),
            ("set latest --url ws : //host : 80 mode ''", "v of mode"), ("set latest mode code ''", ""),
            ("rename ''", "latest s1"), ("rename latest ''", ""), ("prompt latest ''", ""),
            ("delete ''", "latest e1"), ("delete e1 x -- ''", "latest e1"), ("run --resume ''", "latest e1"),
            ("stop ''", "latest r1"),
            ("config ''", "check show"), ("hub retain ''", ""),
        ]
        #expect(try offers(expected.map(\.0)) == expected.map(\.1))
    }

    @Test func theSettingsOfASessionAndTheirValuesAreOffered() throws {
        try BridgeHome.with { home in
            _ = try home.run("run", "--agent", "demo", "--detach", "--title", "shop")
            let script = """
                source <(acpbridge completions bash)
                offer() { COMP_WORDS=("$@"); COMP_CWORD=$(( $# - 1 )); _acpbridge; echo "${COMPREPLY[*]}"; }
                offer acpbridge set shop m
                offer acpbridge set shop mode ''
                offer acpbridge set nosuch ''

                """
            let outcome = try home.shell(script)
            let offers = outcome.outputText.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(offers[0].split(separator: " ").contains("mode"))
            #expect(offers[1].split(separator: " ").contains("yolo"))
            #expect(offers[2].isEmpty)
        }
    }

    @Test func optionsAndTheirValuesAreNotCountedAsOperands() throws {
        let lines = [
            "attach --pretty --from now ''", "attach --from = now ''", "attach --url ws : //host : 80 ''",
            "attach -- ''",
        ]
        #expect(try offers(lines) == lines.map { _ in "latest s1" })
        #expect(
            try offers(["cancel --queued x ''", "attach --from ''", "cancel --url ws : //host x ''"]) == [
                "", "start now", "",
            ])
    }
}
