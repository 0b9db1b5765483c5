/// A rule that answers permission requests in place of a person.
package struct PermissionRule: Equatable, Sendable {
    package enum Action: String, CaseIterable, Sendable {
        /// Choose the option of the kind `allow_once`.
        case allow
        /// Choose the option of the kind `reject_once`, or else `reject_always`.
        case reject
        /// Leave the request to a person.
        case ask
    }

    /// The requests that a rule applies to.
    package enum Condition: String, CaseIterable, Sendable {
        /// Requests of an agent without an editor and without a primary.
        case unattended
        /// All requests. The editor's question is withdrawn.
        case always
    }

    package let action: Action
    package let condition: Condition
    /// Names of agents; empty for all. `*` matches any characters.
    package let agents: [String]
    /// ACP's kinds of tool calls, such as `read`; empty for all.
    package let kinds: [String]
    /// Empty for all.
    package let paths: [PathGlob]
    /// The first words of commands; empty for all.
    package let commands: [[String]]

    package init(
        _ action: Action, when condition: Condition = .unattended, agents: [String] = [], kinds: [String] = [],
        paths: [PathGlob] = [], commands: [[String]] = []
    ) {
        self.action = action
        self.condition = condition
        self.agents = agents
        self.kinds = kinds
        self.paths = paths
        self.commands = commands
    }

    func matches(_ request: RuledRequest, isUnattended: Bool) -> Bool {
        guard condition == .always || isUnattended else { return false }
        guard agents.isEmpty || agents.contains(where: { wildcard($0, matches: request.agent) }) else { return false }
        let mayBeAnyKind = action != .allow && !request.isWhole
        guard kinds.isEmpty || request.kind.map(kinds.contains) ?? mayBeAnyKind else { return false }
        return action == .allow ? isLimited(request) : mayConcern(request)
    }

    /// True if the rule names everything that the request touches. It never names unclear paths.
    private func isLimited(_ request: RuledRequest) -> Bool {
        if !commands.isEmpty {
            guard case .words(let words) = request.command, commands.contains(where: words.starts) else { return false }
        } else if !paths.isEmpty, request.command != .none {
            // A command is not limited to the paths that the request names.
            return false
        }
        guard !paths.isEmpty else { return true }
        return !request.paths.isEmpty
            && request.paths.allSatisfy { path in
                guard let path, let path = AbsolutePath(path, in: request.folder) else { return false }
                return paths.contains { $0.matches(path, in: request.folder) }
            }
    }

    private func mayRun(_ request: RuledRequest) -> Bool {
        guard request.isWhole else { return request.kind == nil || request.kind == "execute" }
        return request.command.parts.contains { part in commands.contains(where: part.starts) }
    }

    /// True if something that the request touches is named by the rule. An unclear path counts as named.
    private func mayConcern(_ request: RuledRequest) -> Bool {
        guard commands.isEmpty || mayRun(request) else { return false }
        guard !paths.isEmpty else { return true }
        return request.paths.contains { path in
            guard let path, let path = AbsolutePath(path, in: request.folder) else { return true }
            return paths.contains { $0.mayMatch(path, in: request.folder) }
        }
    }
}

/// The rules of a bridge, in their order.
package struct PermissionRules: Equatable, Sendable {
    package let rules: [PermissionRule]

    package init(_ rules: [PermissionRule] = []) { self.rules = rules }

    package var isEmpty: Bool { rules.isEmpty }

    /// The answer that a rule gives.
    package struct Decision: Equatable, Sendable {
        /// Counted from 1.
        package let rule: Int
        /// The id of the option to choose.
        package let option: String
    }

    /// Returns the answer of the first rule that matches. Nil if no rule matches, if that rule leaves the request to a
    /// person, or if the agent offers no option of the right kind.
    ///
    /// - Parameter isUnattended: The agent has no editor and no primary.
    package func decide(_ request: RuledRequest, isUnattended: Bool) -> Decision? {
        guard let index = rules.firstIndex(where: { $0.matches(request, isUnattended: isUnattended) }) else {
            return nil
        }
        // `allow_always` would also allow requests that no rule has seen.
        let kinds: [String] =
            switch rules[index].action {
            case .allow: ["allow_once"]
            case .reject: ["reject_once", "reject_always"]
            case .ask: []
            }
        for kind in kinds {
            if let option = request.options.first(where: { $0.kind == kind }) {
                return Decision(rule: index + 1, option: option.id)
            }
        }
        return nil
    }
}
