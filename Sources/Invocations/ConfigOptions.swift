import ArgumentParsing

/// Options of `acpbridge config`.
package struct ConfigOptions: Equatable, Sendable {
    package enum Action: String, CaseIterable, Sendable {
        case check, show
    }

    package var action: Action
    /// The configuration file to use instead of the one that a bridge would use.
    package var file: String?
    package var json: Bool

    package init(action: Action, file: String? = nil, json: Bool = false) {
        self.action = action
        self.file = file
        self.json = json
    }
}

extension ConfigOptions.Action: ArgumentValue {}
