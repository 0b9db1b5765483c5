import ArgumentParsing
import JSONScan
import PermissionRules

/// Reads `permission-rules`: an array of objects.
///
///     {"action": "allow", "agent": "claude", "kind": ["read", "search"], "path": "./**", "when": "always"}
struct PermissionRuleReader {
    static let key = "permission-rules"

    private static let keys = ["action", "agent", "kind", "path", "command", "when"]
    /// The kinds of ACP. Agents can have others, which a rule cannot name.
    private static let kinds = [
        "read", "edit", "delete", "move", "search", "execute", "think", "fetch", "switch_mode", "other",
    ]
    /// Each request is compared with each rule.
    private static let ruleLimit = 200
    /// Texts in one member of a rule.
    private static let textLimit = 100

    private(set) var rules: [PermissionRule] = []
    private(set) var faults: [(message: String, value: JSONValue)] = []

    init(_ value: JSONValue) {
        guard value.kind == .array else {
            faults.append(("the value of '\(Self.key)' must be an array of objects", value))
            return
        }
        let elements = value.elements
        guard elements.count <= Self.ruleLimit else {
            faults.append(("'\(Self.key)' has more than \(Self.ruleLimit) rules", value))
            return
        }
        for element in elements { read(element) }
    }

    private mutating func read(_ value: JSONValue) {
        let before = faults.count
        guard value.kind == .object else { return faults.append(("a rule must be an object", value)) }
        if value.repeatsName { faults.append(("a rule has a key more than once", value)) }
        for (name, member) in value.members where !Self.keys.contains(name) {
            faults.append(("unknown key \(quoted(name)) of a rule; \(Self.hint(name, Self.keys))", member))
        }
        let action = word(value["action"], PermissionRule.Action.allCases, "action")
        if value["action"] == nil { faults.append(("a rule needs 'action': 'allow', 'reject' or 'ask'", value)) }
        let condition = word(value["when"], PermissionRule.Condition.allCases, "when") ?? .unattended
        let kinds = texts(value["kind"], "kind")
        if let kind = kinds.first(where: { !Self.kinds.contains($0) }), let member = value["kind"] {
            faults.append(("unknown kind \(quoted(kind)); \(Self.hint(kind, Self.kinds))", member))
        }
        let paths = texts(value["path"], "path").compactMap { text in
            let glob = PathGlob(text)
            if glob == nil, let member = value["path"] {
                faults.append(
                    ("the path \(quoted(text)) must begin with '/' or './', and cannot have '..'", member))
            }
            return glob
        }
        let commands = texts(value["command"], "command").map { $0.split(separator: " ").map(String.init) }
        let agents = texts(value["agent"], "agent")
        guard faults.count == before, let action else { return }
        rules.append(
            PermissionRule(
                action, when: condition, agents: agents, kinds: kinds, paths: paths, commands: commands))
    }

    private mutating func word<Word: RawRepresentable<String>>(
        _ value: JSONValue?, _ words: [Word], _ name: String
    ) -> Word? {
        guard let value else { return nil }
        let text = value.stringValue ?? value.rawString
        if let word = Word(rawValue: text) { return word }
        let choices = words.map(\.rawValue)
        let expected = choices.map { "'\($0)'" }.joined(with: "or")
        let hint = nearest(to: text, among: choices).map { "; did you mean '\($0)'?" } ?? ""
        faults.append(("invalid value \(quoted(text)) for '\(name)': expected \(expected)\(hint)", value))
        return nil
    }

    /// A text or an array of texts. An empty array would match nothing and looks like everything, so it is refused.
    private mutating func texts(_ value: JSONValue?, _ name: String) -> [String] {
        guard let value else { return [] }
        let texts = value.kind == .array ? value.elements.map(\.stringValue) : [value.stringValue]
        let valid = texts.compactMap(\.self).filter { !$0.allSatisfy(\.isWhitespace) }
        guard valid.count == texts.count, (1...Self.textLimit).contains(texts.count) else {
            faults.append(("'\(name)' of a rule must be a text or an array of 1 to \(Self.textLimit) texts", value))
            return []
        }
        return valid
    }

    private static func hint(_ text: String, _ names: [String]) -> String {
        nearest(to: text, among: names).map { "did you mean '\($0)'?" }
            ?? "expected \(names.map { "'\($0)'" }.joined(with: "or"))"
    }
}
