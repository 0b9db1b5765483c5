import JSONScan
import TerminalText

/// One of the answers that an agent offers in its permission request.
package struct PermissionOption: Sendable, Equatable {
    package let id: String
    /// The name to display, on one line; the id if the option has no name.
    package let name: TerminalText

    /// - Parameter content: The data of a `permission_request` entry.
    package static func all(_ content: JSONValue) -> [PermissionOption] {
        content["params"].map(all(inParams:)) ?? []
    }

    /// - Parameter params: The params of the request.
    package static func all(inParams params: JSONValue) -> [PermissionOption] {
        (params["options"]?.elements ?? []).compactMap { option in
            guard let id = option["optionId"]?.stringValue else { return nil }
            return PermissionOption(id: id, name: TerminalText(oneLine: option["name"]?.stringValue ?? id))
        }
    }
}
