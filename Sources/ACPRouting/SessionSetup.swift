import JSONScan

/// The modes and options that an agent returns when it opens a session. They are kept up to date for clients that join
/// later.
package struct SessionSetup: Codable {
    /// The agent's answer to the request that opened the session.
    package private(set) var result: [UInt8]
    package private(set) var mode: String?
    /// All options, as the agent wrote them last.
    package private(set) var options: [UInt8]?
    /// Version 2: all commands, as the agent wrote them last.
    package private(set) var commands: [UInt8]?
    /// Version 2: the agent's latest `state_update`, without its usage, and with the latest list of background work.
    package private(set) var state: [UInt8]?

    /// A longer answer is not kept; clients that join later then receive no modes and options. Longer options are not
    /// kept either.
    package static let limitBytes = 1 << 20
    /// 1 KiB for a mode's id. A longer id is not kept.
    package static let modeLimitBytes = 1 << 10

    /// The size of all texts.
    package var byteCount: Int {
        result.count + (mode?.utf8.count ?? 0) + (options?.count ?? 0) + (commands?.count ?? 0) + (state?.count ?? 0)
    }

    /// Returns the setup without the texts that differ from those of an earlier one. The mode, which is short, stays.
    package func withoutNewTexts(since earlier: SessionSetup) -> SessionSetup {
        var kept = self
        if options != earlier.options { kept.options = nil }
        if commands != earlier.commands { kept.commands = nil }
        if state != earlier.state { kept.state = nil }
        return kept
    }

    /// A setup of which nothing is known.
    package init() { result = Array("{}".utf8) }

    package init(result: [UInt8]) {
        self.init()
        if result.count <= Self.limitBytes { self.result = result }
    }

    package mutating func select(mode: String?) { self.mode = mode?.within(bytes: Self.modeLimitBytes) }

    package mutating func set(options: [UInt8]) { self.options = options.count <= Self.limitBytes ? options : nil }

    package mutating func set(commands: [UInt8]) { self.commands = commands.count <= Self.limitBytes ? commands : nil }

    /// Records a `state_update`. One without a list of background work leaves the list unchanged.
    package mutating func update(state: [UInt8]) {
        let earlier = self.state.flatMap { try? JSONValue(validating: $0) }?["background"]
        var state = state
        if let earlier, let update = try? JSONValue(validating: state), update["background"] == nil {
            state = JSONWriter.object { writer in
                for (name, value) in update.members { writer.member(name, raw: value.rawText) }
                writer.member("background", raw: earlier.rawText)
            }
        }
        self.state = state.count <= Self.limitBytes ? state : nil
    }

    /// Adopts what the agent has reported before its answer. The answer counts more if it has the same.
    package mutating func adoptReports(of earlier: SessionSetup) {
        state = earlier.state
        let members = (try? JSONValue(validating: result))?.members ?? []
        if !members.contains(where: { $0.name == "availableCommands" }) { commands = earlier.commands }
        if !members.contains(where: { $0.name == "configOptions" }) { options = earlier.options }
    }

    /// The setup in the form of the answers to `session/load` and `session/resume`. It has the reported options, and in
    /// version 2 the reported commands, even if the agent's answer had none.
    ///
    /// - Parameter session: The session's id, for the form of the answer to `session/new`.
    package func current(version: Int, naming session: String? = nil) -> [UInt8] {
        JSONWriter.object { writer in
            writer.member("sessionId", ifPresent: session)
            let members = (try? JSONValue(validating: result))?.members ?? []
            for (name, value) in members {
                switch name {
                case "sessionId": continue
                case "modes":
                    writer.member(name, raw: mode.map { Self.selecting($0, in: value) } ?? Array(value.rawText))
                case "availableCommands": writer.member(name, raw: commands ?? Array(value.rawText))
                case "configOptions": writer.member(name, raw: options ?? Array(value.rawText))
                default: writer.member(name, raw: value.rawText)
                }
            }
            let names = members.map(\.name)
            if let options, !names.contains("configOptions") { writer.member("configOptions", raw: options) }
            if version >= 2, let commands, !names.contains("availableCommands") {
                writer.member("availableCommands", raw: commands)
            }
        }
    }

    /// The mode and the options as updates, without those that are only in the agent's answer.
    package var updates: [[UInt8]] {
        let mode = mode.map { mode in
            JSONWriter.object { writer in
                writer.member("sessionUpdate", "current_mode_update")
                writer.member("currentModeId", mode)
            }
        }
        let options = options.map { options in
            JSONWriter.object { writer in
                writer.member("sessionUpdate", "config_option_update")
                writer.member("configOptions", raw: options)
            }
        }
        return [mode, options].compactMap(\.self)
    }

    private static func selecting(_ mode: String, in modes: JSONValue) -> [UInt8] {
        JSONWriter.object { writer in
            for (name, value) in modes.members where name != "currentModeId" {
                writer.member(name, raw: value.rawText)
            }
            writer.member("currentModeId", mode)
        }
    }
}
