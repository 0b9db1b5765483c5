import JSONScan
import SessionLog

/// What an agent tells a client of a session it opens: its modes and options, kept up to date for those who come later.
struct SessionSetup: Codable {
    /// An agent's answer to the request that opened the session.
    private(set) var result: [UInt8]
    private(set) var mode: String?
    /// All of them, as the agent wrote them last.
    private(set) var options: [UInt8]?

    /// A longer answer is not kept; late joiners are then told nothing of modes and options. So are longer options.
    static let limitBytes = 1 << 20
    /// 1 KiB of a mode's id. A longer one is not kept.
    static let modeLimitBytes = 1 << 10

    init(result: [UInt8]) {
        self.result = result.count <= Self.limitBytes ? result : Array("{}".utf8)
    }

    mutating func select(mode: String?) { self.mode = mode?.within(bytes: Self.modeLimitBytes) }

    mutating func take(options: [UInt8]) { self.options = options.count <= Self.limitBytes ? options : nil }

    /// As the answer to `session/load` and `session/resume` has it.
    var current: [UInt8] {
        JSONWriter.object { writer in
            for (name, value) in (try? JSONValue(validating: result))?.members ?? [] {
                switch name {
                case "sessionId": continue
                case "modes":
                    writer.member(name, raw: mode.map { Self.selecting($0, in: value) } ?? Array(value.rawText))
                case "configOptions": writer.member(name, raw: options ?? Array(value.rawText))
                default: writer.member(name, raw: value.rawText)
                }
            }
        }
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
