@testable import JSONScan

/// An envelope as comparable data. `init(reference:)` computes it from the reference parser's tree.
struct EnvelopeSummary: Equatable {
    var ranges: [String: Range<Int>] = [:]
    var shape: Envelope.Shape
    var isAmbiguous = false

    init(_ envelope: Envelope) {
        shape = envelope.shape
        isAmbiguous = envelope.isAmbiguous
        ranges["method"] = envelope.method
        ranges["id"] = envelope.id
        ranges["params"] = envelope.params
        ranges["result"] = envelope.result
        ranges["error"] = envelope.error
        ranges["sessionId"] = envelope.sessionId
        ranges["update"] = envelope.update
        ranges["sessionUpdate"] = envelope.updateKind
        ranges["messageId"] = envelope.messageId
    }

    init(reference root: ReferenceJSON) {
        switch root {
        case .object: shape = .object
        case .array: shape = .array
        default: shape = .scalar
        }
        note(root, ["method", "id", "params", "result", "error"])
        if let params = root.last("params")?.value {
            note(params, ["sessionId", "update"])
            if let update = params.last("update")?.value { note(update, ["sessionUpdate", "messageId"]) }
        }
        isAmbiguous =
            Self.repeats(root, ["method", "params"])
            || Self.membersNamed("params", root).contains { params in
                Self.repeats(params, ["sessionId", "update"])
                    || Self.membersNamed("update", params).contains { Self.repeats($0, ["sessionUpdate"]) }
            }
    }

    private mutating func note(_ object: ReferenceJSON, _ names: [String]) {
        for name in names { ranges[name] = object.last(name)?.range }
    }

    private static func repeats(_ object: ReferenceJSON, _ names: [String]) -> Bool {
        names.contains { object.count($0) > 1 }
    }

    private static func membersNamed(_ name: String, _ object: ReferenceJSON) -> [ReferenceJSON] {
        guard case .object(let members) = object else { return [] }
        return members.filter { $0.name == Array(name.utf16) }.map(\.value)
    }
}
