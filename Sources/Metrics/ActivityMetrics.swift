import JSONScan

/// Counts the work of agents by the entries of their sessions' timelines. Pure.
package struct ActivityMetrics: Sendable {
    /// Identifies a session in this process.
    package typealias SessionKey = ObjectIdentifier

    private struct AgentCounts {
        var starts: Int64 = 0
        var prompts: Int64 = 0
        var permissionRequests: Int64 = 0
        var turns: [String: Int64] = [:]
        /// Consumed tokens by kind.
        var tokens: [String: Int64] = [:]
        /// Costs by currency.
        var costs: [String: Double] = [:]
    }

    /// The tokens and the cost of an agent in one session since the agent's start.
    package struct Consumption: Sendable {
        /// The tokens of each kind.
        package var tokens: [String: Int64]
        package var cost: (amount: Double, currency: String)?

        package init(tokens: [String: Int64], cost: (amount: Double, currency: String)?) {
            self.tokens = tokens
            self.cost = cost
        }

        /// The higher of both numbers of each kind. A number that falls or disappears must not be counted again when it grows.
        fileprivate func raised(to earlier: Consumption) -> Consumption {
            let highest =
                switch (cost, earlier.cost) {
                case (nil, let only), (let only, nil): only
                case (let cost?, let earlier?):
                    cost.currency == earlier.currency && cost.amount < earlier.amount ? earlier : cost
                }
            return Consumption(tokens: tokens.merging(earlier.tokens, uniquingKeysWith: max), cost: highest)
        }
    }

    private struct Wait: Hashable {
        let session: SessionKey
        let requestId: String
    }

    private var agents: [String: AgentCounts] = [:]
    /// The start of each running turn, in nanoseconds of the monotonic clock; nil if the turn began under an earlier
    /// program.
    private var turns: [SessionKey: Int64?] = [:]
    /// The part of each session's consumption that is counted already.
    private var counted: [SessionKey: Consumption] = [:]
    /// The start of each wait for an answer, likewise.
    private var waits: [Wait: Int64] = [:]
    private var turnDurations = Histogram.ofWaits
    private var permissionWaits = Histogram.ofWaits

    /// The number of agents with series of their own. Agents that a client starts under further names are counted
    /// together, so that the number of series has a bound.
    package static let agentLimit = 64
    /// The `agent` of all further agents.
    package static let otherAgents = "_other"
    /// Bytes of an agent's name in a label. Longer names count as ``otherAgents``.
    private static let nameLimitBytes = 256
    /// Waits for answers. At the limit, the durations of further waits are unknown.
    private static let waitLimit = 4_096
    /// Bytes of a request's id that is kept.
    private static let requestIdLimitBytes = 1_024
    /// ACP's stop reasons. Others count as `other`, because an agent can write any text.
    private static let stopReasons: Set<String> = [
        "end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled",
    ]

    package init() {}

    // MARK: Events

    package mutating func agentStarted(_ agent: String) { agents[label(agent), default: AgentCounts()].starts += 1 }

    /// An entry was added to the timeline of a session.
    ///
    /// - Parameters:
    ///   - kind: The kind of the entry, as on the timeline.
    ///   - body: The entry's data, as JSON.
    ///   - now: Nanoseconds of the monotonic clock.
    package mutating func noted(_ kind: String, _ body: [UInt8], of session: SessionKey, agent: String, at now: Int64) {
        switch kind {
        case "prompt": agents[label(agent), default: AgentCounts()].prompts += 1
        case "turn_end": turnEnded(body, agent: agent)
        case "permission_request":
            agents[label(agent), default: AgentCounts()].permissionRequests += 1
            if waits.count < Self.waitLimit, let wait = Self.wait(body, session) { waits[wait] = now }
        case "permission_answer":
            guard let wait = Self.wait(body, session), let start = waits.removeValue(forKey: wait) else { return }
            permissionWaits.observe(nanoseconds: now - start)
        default: break
        }
    }

    /// A turn has ended.
    ///
    /// - Parameter outcome: The data of a `turn_end`, or, in version 2 of ACP, the agent's report of the end.
    package mutating func turnEnded(_ outcome: [UInt8], agent: String) {
        guard let outcome = Self.outcome(outcome) else { return }
        agents[label(agent), default: AgentCounts()].turns[outcome, default: 0] += 1
    }

    /// Counts what the session's agent has consumed since the last call.
    ///
    /// - Parameter isAdopted: All of it was consumed under an earlier program.
    package mutating func consumed(
        _ now: Consumption, in session: SessionKey, agent: String, isAdopted: Bool = false
    ) {
        let before = counted[session]
        counted[session] = before.map(now.raised) ?? now
        guard !isAdopted else { return }
        let name = label(agent)
        for (kind, count) in now.tokens {
            let growth = count - (before?.tokens[kind] ?? 0)
            guard growth > 0 else { continue }
            let (sum, overflows) = (agents[name]?.tokens[kind] ?? 0).addingReportingOverflow(growth)
            agents[name, default: AgentCounts()].tokens[kind] = overflows ? .max : sum
        }
        guard let cost = now.cost, let currency = currencyLabel(cost.currency, name) else { return }
        let earlier = before?.cost.flatMap { $0.currency == cost.currency ? $0.amount : nil } ?? 0
        if cost.amount > earlier {
            agents[name, default: AgentCounts()].costs[currency, default: 0] += cost.amount - earlier
        }
    }

    /// More currencies than agents use. An agent can write any text.
    private static let currencyLimit = 4

    private func currencyLabel(_ currency: String, _ agent: String) -> String? {
        let costs = agents[agent]?.costs ?? [:]
        return costs[currency] != nil || costs.count < Self.currencyLimit ? currency : nil
    }

    /// Call after each change of a session.
    package mutating func changed(_ session: SessionKey, isRunning: Bool, at now: Int64) {
        if isRunning {
            if turns[session] == nil { turns[session] = .some(now) }
        } else if let start = turns.removeValue(forKey: session), let start {
            turnDurations.observe(nanoseconds: now - start)
        }
    }

    /// The session runs a turn that began under the program before this one. Its duration is not known.
    package mutating func adopt(_ session: SessionKey) { turns[session] = .some(nil) }

    /// The session has ended and is stored. A turn that it still runs is not counted.
    package mutating func ended(_ session: SessionKey) {
        turns[session] = nil
        counted[session] = nil
        if waits.keys.contains(where: { $0.session == session }) {
            waits = waits.filter { $0.key.session != session }
        }
    }

    // MARK: Text

    package func write(to text: inout MetricsText) {
        let names = agents.keys.sorted()
        func samples(_ count: (AgentCounts) -> Int64) -> [(labels: MetricsText.Labels, value: Int64)] {
            names.compactMap { name in agents[name].map { (["agent": name], count($0)) } }
        }
        text.write("acpbridge_agent_starts_total", .counter, "Starts of agents.", samples(\.starts))
        text.write("acpbridge_agent_prompts_total", .counter, "Prompts that agents got.", samples(\.prompts))
        text.write(
            "acpbridge_agent_permission_requests_total", .counter, "Permissions that agents requested.",
            samples(\.permissionRequests))
        text.write(
            "acpbridge_agent_turns_total", .counter, "Turns that ended, by ACP's stop reason.",
            names.flatMap { name in
                (agents[name]?.turns ?? [:]).sorted { $0.key < $1.key }.map { outcome, count in
                    (["agent": name, "outcome": outcome], count)
                }
            })
        text.write(
            "acpbridge_agent_tokens_total", .counter, "Tokens that agents have reported as consumed, by kind.",
            names.flatMap { name in
                (agents[name]?.tokens ?? [:]).sorted { $0.key < $1.key }.map { kind, count in
                    (["agent": name, "kind": kind], count)
                }
            })
        text.write(
            "acpbridge_agent_cost_total", .counter, "Costs that agents have reported, by currency.",
            amounts: names.flatMap { name in
                (agents[name]?.costs ?? [:]).sorted { $0.key < $1.key }.map { currency, amount in
                    (["agent": name, "currency": currency], amount)
                }
            })
        text.write(
            "acpbridge_turn_duration_seconds", "Time for which a session ran without a pause.", turnDurations)
        text.write(
            "acpbridge_permission_wait_seconds", "Time from an agent's permission request to the answer.",
            permissionWaits)
    }

    // MARK: Entries

    private func label(_ agent: String) -> String {
        if agents[agent] != nil { return agent }
        return agents.count < Self.agentLimit && agent.utf8.count <= Self.nameLimitBytes ? agent : Self.otherAgents
    }

    /// Returns nil if the entry ends no turn: in version 2 of ACP, an answer that names a message only accepts the prompt.
    private static func outcome(_ body: [UInt8]) -> String? {
        guard let value = try? JSONValue(validating: body) else { return "other" }
        if value["error"] != nil { return "error" }
        if value["messageId"] != nil { return nil }
        guard let reason = value["stopReason"]?.stringValue else { return "other" }
        // A stop reason of version 2.
        if reason == "error" { return reason }
        return stopReasons.contains(reason) ? reason : "other"
    }

    private static func wait(_ body: [UInt8], _ session: SessionKey) -> Wait? {
        guard let id = (try? JSONValue(validating: body))?["requestId"]?.rawString, id.utf8.count <= requestIdLimitBytes
        else { return nil }
        return Wait(session: session, requestId: id)
    }
}
