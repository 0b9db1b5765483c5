import PermissionRules
import Testing

@testable import BridgeSettings

private func file(_ rules: String) -> SettingsFile {
    SettingsFile(Array("{\n  \"permission-rules\": \(rules)\n}".utf8), path: "/c.json", folder: "/")
}

@Suite struct PermissionRuleReaderTests {
    @Test func aRuleIsReadWithAllItsConditions() throws {
        let text = #"""
            [
              // Comments are allowed.
              {"action": "allow", "agent": "claude", "kind": ["read", "search"], "path": "./**", "when": "always"},
              {"action": "reject", "command": ["rm", "git  push"]},
            ]
            """#
        let glob = try #require(PathGlob("./**"))
        #expect(file(text).faults.isEmpty)
        #expect(
            file(text).permissionRules
                == PermissionRules([
                    PermissionRule(
                        .allow, when: .always, agents: ["claude"], kinds: ["read", "search"], paths: [glob]),
                    PermissionRule(.reject, commands: [["rm"], ["git", "push"]]),
                ]))
    }

    @Test(arguments: [
        (#"{}"#, "must be an array of objects"), ("[7]", "a rule must be an object"), ("[{}]", "a rule needs 'action'"),
        (#"[{"action":"alow"}]"#, "invalid value 'alow' for 'action': expected 'allow', 'reject' or 'ask'; did"),
        (#"[{"action":"allow","comand":"ls"}]"#, "unknown key 'comand' of a rule; did you mean 'command'?"),
        (#"[{"action":"allow","kind":"raed"}]"#, "unknown kind 'raed'; did you mean 'read'?"),
        (#"[{"action":"allow","path":"src/**"}]"#, "the path 'src/**' must begin with '/' or './'"),
        (#"[{"action":"allow","path":"/a/../b"}]"#, "cannot have '..'"),
        (#"[{"action":"allow","path":[]}]"#, "'path' of a rule must be a text or an array"),
        (#"[{"action":"allow","command":" "}]"#, "'command' of a rule must be a text or an array"),
        (#"[{"action":"allow","agent":[1]}]"#, "'agent' of a rule must be a text or an array"),
        (#"[{"action":"allow","when":"never"}]"#, "invalid value 'never' for 'when'"),
        (#"[{"action":"allow","action":"ask"}]"#, "a rule has a key more than once"),
    ])
    func aWrongRuleIsAnErrorWithItsLine(rules: String, words: String) {
        let file = file(rules)
        #expect(file.faults.contains { $0.message.contains(words) && $0.line == 2 && $0.path == "/c.json" })
        #expect(file.permissionRules.isEmpty)
    }

    @Test func moreThan200RulesAreRefused() {
        let rules = [String](repeating: #"{"action":"ask"}"#, count: 201).joined(separator: ",")
        #expect(file("[\(rules)]").faults.first?.message == "'permission-rules' has more than 200 rules")
    }

    @Test func theKeyIsSuggested() {
        let file = SettingsFile(Array(#"{"permission-rule":[]}"#.utf8), path: "/c.json", folder: "/")
        #expect(file.faults.first?.message.contains("did you mean 'permission-rules'?") == true)
    }
}
