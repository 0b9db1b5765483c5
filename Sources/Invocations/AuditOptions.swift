import ArgumentParsing

/// Options of `acpbridge audit`.
package struct AuditOptions: Equatable, Sendable {
    package enum Action: String, CaseIterable, Sendable {
        case verify
    }

    package var action: Action
    /// The current file of the log; nil for the bridge's own.
    package var file: String?
    package var anchors: [AuditAnchorText]
    package var json: Bool

    package init(action: Action, file: String? = nil, anchors: [AuditAnchorText] = [], json: Bool = false) {
        self.action = action
        self.file = file
        self.anchors = anchors
        self.json = json
    }
}

extension AuditOptions.Action: ArgumentValue {}

/// A line of the audit log: its number and its SHA-256, as `17:9f86d0…`.
package struct AuditAnchorText: Equatable, Sendable {
    package let number: Int64
    /// 64 lower-case hexadecimal digits.
    package let hash: String
}

extension AuditAnchorText: ArgumentValue {
    package static let expectation = "NUMBER:HASH, as the event audit_head of the bridge's own log has them"

    package init?(argument: String) {
        let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let number = Int(digits: String(parts[0])), number > 0, parts[1].utf8.count == 64,
            parts[1].allSatisfy({ $0.isASCII && $0.isHexDigit })
        else { return nil }
        self.number = Int64(number)
        hash = parts[1].lowercased()
    }
}
