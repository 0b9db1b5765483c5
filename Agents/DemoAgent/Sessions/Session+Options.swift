import JSONScan

/// The inputs of the session's options, in addition to the session itself.
struct OptionOffer {
    var defaultPaceMilliseconds: Int
    /// ACP allows boolean options only for clients that declared `session.configOptions.boolean`.
    var hasBooleans: Bool
}

extension Session {
    /// The selectable paces, including the default pace that the agent was started with.
    static func paces(default milliseconds: Int) -> [(milliseconds: Int, name: String)] {
        let named = [(0, "Instant"), (10, "Quick"), (30, "Pleasant"), (100, "Slow")]
        return named.contains { $0.0 == milliseconds } ? named : [(milliseconds, "\(milliseconds) ms")] + named
    }

    /// Writes the members of the responses that open a session: `modes` and `configOptions` in version 1,
    /// `configOptions` and `availableCommands` in version 2.
    func writeState(to result: inout JSONWriter, _ offer: OptionOffer) {
        guard version == .one else {
            writeOptions(to: &result, offer)
            return SlashCommand.write(to: &result, version: version)
        }
        result.memberObject("modes") { modes in
            modes.member("currentModeId", mode.rawValue)
            modes.memberArray("availableModes") { list in
                for mode in Mode.allCases { Self.write(mode, idMember: "id", to: &list) }
            }
        }
        writeOptions(to: &result, offer)
    }

    /// Writes the member `configOptions`. ACP requires the complete list each time.
    func writeOptions(to result: inout JSONWriter, _ offer: OptionOffer) {
        result.memberArray("configOptions") { options in
            options.object { writeModeOption(to: &$0) }
            options.object { writePaceOption(to: &$0, defaultPace: offer.defaultPaceMilliseconds) }
            if offer.hasBooleans { options.object { writeThoughtsOption(to: &$0) } }
        }
    }

    private var idMember: String { version == .one ? "id" : "configId" }

    private func writeModeOption(to option: inout JSONWriter) {
        option.member(idMember, "mode")
        option.member("name", "Mode")
        option.member("category", "mode")
        option.member("type", "select")
        option.member("currentValue", mode.rawValue)
        option.memberArray("options") { list in
            for mode in Mode.allCases { Self.write(mode, idMember: "value", to: &list) }
        }
    }

    private func writePaceOption(to option: inout JSONWriter, defaultPace: Int) {
        option.member(idMember, "pace")
        option.member("name", "Pace")
        option.member("description", "The time between chunks, in milliseconds")
        option.member("type", "select")
        option.member("currentValue", "\(paceMilliseconds)")
        option.memberArray("options") { list in
            for pace in Self.paces(default: defaultPace) {
                list.object {
                    $0.member("value", "\(pace.milliseconds)")
                    $0.member("name", pace.name)
                }
            }
        }
    }

    private func writeThoughtsOption(to option: inout JSONWriter) {
        option.member(idMember, "thoughts")
        option.member("name", "Thoughts")
        option.member("description", "Whether thoughts are shown before an answer")
        option.member("type", "boolean")
        option.member("currentValue", thinks)
    }

    private static func write(_ mode: Mode, idMember: String, to list: inout JSONWriter) {
        list.object {
            $0.member(idMember, mode.rawValue)
            $0.member("name", mode.name)
            $0.member("description", mode.summary)
        }
    }
}
