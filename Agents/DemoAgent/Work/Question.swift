import JSONRPC
import JSONScan

/// A request to the client. Its response decides how a script continues.
struct Question {
    enum Kind: Equatable { case permission, elicitation }

    /// The meaning of a response.
    enum Answer: Equatable {
        case accepted
        /// Accepted or rejected for the rest of the session.
        case remembered(isAllowed: Bool)
        case declined
    }

    let kind: Kind
    let method: String
    let params: [UInt8]
    /// The agent withdraws the request with `$/cancel_request` after this time.
    var withdrawsAfter: Duration?

    /// An unknown option or outcome counts as not approved.
    func answer(_ outcome: Message.Outcome) -> Answer {
        guard case .result(let result) = outcome else { return .declined }
        switch kind {
        case .elicitation: return result["action"]?.stringValue == "accept" ? .accepted : .declined
        case .permission: return Self.permission(result["outcome"])
        }
    }

    private static func permission(_ outcome: JSONValue?) -> Answer {
        guard outcome?["outcome"]?.stringValue == "selected" else { return .declined }
        return switch outcome?["optionId"]?.stringValue {
        case "allow": .accepted
        case "allow-always": .remembered(isAllowed: true)
        case "reject-always": .remembered(isAllowed: false)
        default: .declined
        }
    }
}

extension Question {
    /// Writes the member `options` of a permission request.
    static func writePermissionOptions(to params: inout JSONWriter) {
        params.memberArray("options") { options in
            for (id, name, kind) in permissionOptions {
                options.object {
                    $0.member("optionId", id)
                    $0.member("name", name)
                    $0.member("kind", kind)
                }
            }
        }
    }

    private static let permissionOptions = [
        ("allow", "Allow", "allow_once"), ("allow-always", "Always allow in this session", "allow_always"),
        ("reject", "Reject", "reject_once"), ("reject-always", "Always reject in this session", "reject_always"),
    ]
}
