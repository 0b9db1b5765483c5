import Testing

/// `acpbridge diff`.
@Suite(.blocking) struct DiffTests {
    /// The demo agent reports a change of a file, and does not write the file.
    @Test func gitAppliesTheChangesOfASessionAndTakesThemBack() throws {
        try BridgeHome.with { home in
            let outcome = try home.shell(
                """
                set -e
                mkdir "$ACPBRIDGE_HOME/work"
                cd "$ACPBRIDGE_HOME/work"
                printf '# Demo notes\n' >demo-notes.md
                git init -q .
                acpbridge run --agent demo --detach --title shop >&2
                acpbridge prompt shop 'hello 3 words no permission' >&2
                acpbridge diff shop >../changes
                git apply ../changes
                cat demo-notes.md
                acpbridge diff shop | git apply -R
                cat demo-notes.md
                acpbridge diff shop --stat
                """)
            #expect(outcome.status == .exited(code: 0), "\(outcome.errorText)")
            #expect(
                outcome.outputText == """
                    # Demo notes
                    - hello
                    # Demo notes
                     demo-notes.md | 1 +
                     1 file changed, 1 insertion(+)

                    """)
        }
    }

    @Test func theAgentsOwnPatchOfVersion2IsPrinted() throws {
        try BridgeHome.with { home in
            let editor = try EditorSession([Binary.demoAgent], in: home, version: 2)
            try editor.prompt("hello 3 words no permission")
            try eventually("the change is stored") {
                let lines = try home.run("diff", "latest").outputText.split(separator: "\n")
                return lines.first?.hasPrefix("diff --git ") == true && lines.last == "+- hello"
            }
            #expect(
                try home.run("diff", "latest", "demo-notes.md", "--stat").outputText.contains("demo-notes.md | 1 +"))
            #expect(try home.run("diff", "latest", "other").errorText.contains("No changes of these files"))
            try editor.end()
        }
    }

    @Test func aSessionWithoutChangesAndAnUnknownOneAreReported() throws {
        try BridgeHome.with { home in
            _ = try home.run("run", "--agent", "demo", "--detach", "--title", "shop")
            let none = try home.run("diff", "shop")
            #expect(none.status == .exited(code: 0) && none.output.isEmpty)
            #expect(none.errorText.contains("No changes of files have been reported"))
            #expect(try home.run("diff", "nosuch").status == .exited(code: 3))
        }
    }
}
