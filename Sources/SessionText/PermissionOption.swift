import JSONScan
import TerminalText

/// One answer that an agent offers to its permission request.
package struct PermissionOption: Sendable, Equatable {
    package let id: String
    /// As it is shown, on one line; the id if the option has no name.
    package let name: TerminalText

    /// - Parameter content: the data of a `permission_request` entry.
    package static func all(_ content: JSONValue) -> [PermissionOption] {
        (content["params"]?["options"]?.elements ?? []).compactMap { option in
            guard let id = option["optionId"]?.stringValue else { return nil }
            return PermissionOption(id: id, name: TerminalText(oneLine: option["name"]?.stringValue ?? id))
        }
    }
}
