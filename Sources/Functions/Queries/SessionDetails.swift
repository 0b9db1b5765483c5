import ACPRouting
import JSONScan
import SessionFolding
import SessionRecords
import Tinyvex

/// The value of `sessions:get`. Pure.
struct SessionDetails {
    private let row: SessionSummary
    private let fold: SessionFold
    private let storedCost: UsageCost?
    var setup = Setup(nil)
    /// The query asked for the costs.
    var hasCosts = false
    /// The query did not leave out the tool calls.
    var hasToolCalls = true
    /// The prompts that wait at this bridge.
    var queue: [QueuedPrompt] = []
    /// The prompts that wait at the session's bridge, if it is another one.
    var remoteQueue: [RemotePrompt] = []
    var viewers: [SessionViewer] = []
    /// Nil if the bridge sends no notifications of the session.
    var isMuted: Bool?
    var missingCapabilities: [ClientCapability] = []
    /// Nil if no agent runs the session, or has not answered `initialize`.
    var promptCapabilities: PromptCapabilities?

    /// - Parameter stored: The usage that the log has; nil for none.
    init(_ row: SessionSummary, _ fold: SessionFold, stored: UsageReport?) {
        var row = row
        // The fold has all that the agent wrote, of imported sessions, too.
        row.usage = nil
        // The timeline can lack the first turns.
        row.tokens = (stored?.tokens ?? fold.tokens)?.json
        row.rateLimit = fold.rateLimit.map { limit in JSONWriter.object { limit.write(to: &$0) } }
        self.row = row
        self.fold = fold
        storedCost = stored?.cost
    }

    func json() -> [UInt8] { JSONWriter.object { write(to: &$0) } }

    private func write(to writer: inout JSONWriter) {
        row.write(to: &writer)
        writer.member("lastSeq", fold.lastSeq)
        writer.memberObject("turn") { fold.turn.write(to: &$0) }
        writeParts(to: &writer)
        if hasCosts { writer.memberArray("costs") { fold.costs.write(to: &$0) } }
        writer.memberArray("toolCalls") { if hasToolCalls { fold.toolCalls.write(to: &$0) } }
        fold.writeEntities(to: &writer)
        writer.memberArray("pendingPermissions") { fold.writePermissions(to: &$0) }
        writer.memberArray("pendingElicitations") { fold.writeElicitations(to: &$0) }
        writer.memberArray("queue") { writer in
            for prompt in queue { prompt.write(to: &writer) }
            for prompt in remoteQueue { writer.object { prompt.write(to: &$0) } }
        }
        writePeople(to: &writer)
        if let promptCapabilities { writer.memberObject("promptCapabilities") { promptCapabilities.write(to: &$0) } }
        writer.memberObject("omitted") { writer in
            let left = hasToolCalls ? 0 : fold.toolCalls.count
            writer.member("toolCalls", fold.toolCalls.omittedCount + left)
            writer.member("contents", fold.toolCalls.strippedCount)
        }
    }

    /// Writes what the agent offers and has reported last. The running agent's setup is newer than the fold.
    private func writeParts(to writer: inout JSONWriter) {
        if let mode = setup.currentModeId ?? fold.currentModeId {
            writer.member("currentModeId", mode)
        } else {
            writer.memberNull("currentModeId")
        }
        writer.memberOrNull("modes", setup.modes)
        writer.memberOrNull("configOptions", setup.configOptions ?? fold.part(.configOptions))
        writer.memberOrNull("commands", fold.part(.commands))
        writer.memberOrNull("plan", fold.part(.plan))
        writer.memberOrNull("usage", fold.usage(costing: storedCost))
    }

    private func writePeople(to writer: inout JSONWriter) {
        if !viewers.isEmpty {
            writer.memberArray("viewers") { writer in
                for viewer in viewers { writer.object { viewer.write(to: &$0) } }
            }
        }
        if let isMuted { writer.member("muted", isMuted) }
        if !missingCapabilities.isEmpty {
            writer.memberArray("missingCapabilities") { writer in
                for capability in missingCapabilities { writer.element(capability.rawValue) }
            }
        }
    }
}

extension SessionDetails {
    /// The modes and options that a running agent has for the session, from its answer to `session/new` and its kin. A part
    /// of the wrong type, or that is too long for a response, counts as absent.
    struct Setup {
        private(set) var modes: [UInt8]?
        private(set) var currentModeId: String?
        private(set) var configOptions: [UInt8]?

        init(_ text: [UInt8]?) {
            guard let text, let setup = try? JSONValue(validating: text) else { return }
            if let modes = Self.part(setup["modes"], .object), modes["availableModes"] != nil,
                let current = modes["currentModeId"]
            {
                self.modes = Array(modes.rawText)
                currentModeId = current.stringValue
            }
            configOptions = Self.part(setup["configOptions"], .array).map { Array($0.rawText) }
        }

        private static func part(_ value: JSONValue?, _ kind: JSONValue.Kind) -> JSONValue? {
            guard let value, value.kind == kind, value.rawText.count <= SessionFold.partLimitBytes else { return nil }
            return value
        }
    }
}

extension RemotePrompt {
    /// As ``QueuedPrompt/write(to:)``.
    fileprivate func write(to writer: inout JSONWriter) {
        writer.member("by", by)
        writer.member("queuedTs", queuedTs)
        writer.member("text", ifPresent: text)
    }
}

extension JSONWriter {
    fileprivate mutating func memberOrNull(_ name: String, _ raw: [UInt8]?) {
        if let raw { member(name, raw: raw) } else { memberNull(name) }
    }
}
