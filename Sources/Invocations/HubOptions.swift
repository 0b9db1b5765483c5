import ArgumentParsing

/// Options of `acpbridge hub`.
package struct HubOptions: Equatable, Sendable {
    package enum Action: String, CaseIterable, Sendable {
        case initialize = "init"
        case status, migrate, retain
    }

    package var action: Action
    /// The hub to use instead of the one in the settings.
    package var address: HubAddress?
    package var json: Bool
    /// Delete sessions that ended longer ago than this. Given with `retain`, and only with it.
    package var age: Duration?
    /// Only show what `retain` would delete.
    package var isDryRun: Bool

    /// 1 hour. Lists are up to 10 s old, and a transaction can take minutes.
    package static let leastAge = Duration.seconds(3_600)

    package init(
        action: Action, address: HubAddress? = nil, json: Bool = false, age: Duration? = nil, isDryRun: Bool = false
    ) {
        self.action = action
        self.address = address
        self.json = json
        self.age = age
        self.isDryRun = isDryRun
    }
}

extension HubOptions.Action: ArgumentValue {}
