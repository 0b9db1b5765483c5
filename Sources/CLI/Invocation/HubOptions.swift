import ArgumentParsing

/// Options of `acpbridge hub`.
package struct HubOptions: Equatable, Sendable {
    package enum Action: String, CaseIterable, Sendable {
        case initialize = "init"
        case status, migrate
    }

    package var action: Action
    /// The hub to use instead of the one in the settings.
    package var address: HubAddress?
    package var json: Bool

    package init(action: Action, address: HubAddress? = nil, json: Bool = false) {
        self.action = action
        self.address = address
        self.json = json
    }
}

extension HubOptions.Action: ArgumentValue {}
