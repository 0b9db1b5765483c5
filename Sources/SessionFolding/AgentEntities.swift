import JSONScan

/// The objects that an agent announces in ACP version 2: terminals, plans, subagents and the newest compaction. Pure.
///
/// In all, they have at most about 4 MiB; those of real agents have a few KiB.
struct AgentEntities {
    /// 1 KiB for a title, a description and each other member.
    private static let memberLimitBytes = 1 << 10
    private var terminals = Terminals()
    /// At most 16 plans of 64 KiB. A larger one is left out. The plan that was updated last is the last one.
    private var plans = MergedObjects(idName: "planId", countLimit: 16, memberLimitBytes: SessionFold.partLimitBytes)
    /// At most 64. The state of an omitted one is unknown, and its updates would be taken for those of its parent.
    private var subagents = MergedObjects(idName: "sessionId", countLimit: 64, memberLimitBytes: memberLimitBytes)
    private var compactions = MergedObjects(
        idName: "compactionId", countLimit: 1, memberLimitBytes: memberLimitBytes)

    var byteCount: Int { terminals.byteCount + plans.byteCount + subagents.byteCount + compactions.byteCount }

    func isSubagent(_ session: String) -> Bool { !subagents.isEmpty && subagents.contains(session) }

    /// The entries of the plan that was updated last and has entries.
    var newestEntries: [UInt8]? { plans.values(of: "entries").last }

    /// - Parameter session: The session that the update belongs to.
    mutating func apply(_ kind: String, _ update: JSONValue, of session: String) {
        switch kind {
        case "terminal_update": terminals.merge(update)
        case "terminal_output_chunk": terminals.append(update)
        case "plan_update": replacePlan(update["plan"])
        case "plan_removed": plans.remove(update["planId"]?.stringValue ?? "")
        case "subagent_update": announce(update, under: session)
        case "compaction_update": compactions.merge(update)
        default: break
        }
    }

    /// Applies an update of a subagent. Its terminals, plans and calls are not part of its parent's state.
    mutating func apply(_ kind: String, _ update: JSONValue, ofSubagent session: String) {
        switch kind {
        case "state_update": set(state: update, of: session)
        case "subagent_update": announce(update, under: session)
        default: break
        }
    }

    private mutating func replacePlan(_ plan: JSONValue?) {
        guard let plan, let id = plan["planId"]?.stringValue else { return }
        plans.remove(id)
        if plan.rawText.count <= SessionFold.partLimitBytes { plans.merge(plan) }
    }

    private mutating func announce(_ update: JSONValue, under parent: String) {
        guard let id = subagents.merge(update, except: ["parentSessionId"]),
            let parent = try? JSONValue(validating: JSONWriter.scalar(parent))
        else { return }
        subagents.set("parentSessionId", parent, of: id)
    }

    /// A subagent reports its state itself, or its parent does in the member `state`.
    private mutating func set(state update: JSONValue, of session: String) {
        let state = JSONWriter.object { writer in
            for (name, value) in update.members where name != "sessionUpdate" {
                writer.member(name, raw: value.rawText)
            }
        }
        if let state = try? JSONValue(validating: state) { subagents.set("state", state, of: session) }
    }

    func write(to writer: inout JSONWriter) {
        if !terminals.isEmpty { writer.memberArray("terminals") { terminals.write(to: &$0) } }
        if !plans.isEmpty { writer.memberArray("plans") { plans.write(to: &$0) } }
        if !subagents.isEmpty { writer.memberArray("subagents") { subagents.write(to: &$0) } }
        if !compactions.isEmpty { writer.memberArray("compactions") { compactions.write(to: &$0) } }
    }
}
