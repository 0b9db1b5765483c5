import ArgumentParsing

/// Options of `acpbridge notify`.
package struct NotifyOptions: Equatable, Sendable {
    package var action: NotifyAction
    /// Print JSON instead of text for people.
    package var json: Bool
    package var connection: ConnectionOptions

    package init(
        action: NotifyAction, json: Bool = false, connection: ConnectionOptions = ConnectionOptions()
    ) {
        self.action = action
        self.json = json
        self.connection = connection
    }
}

package enum NotifyAction: String, CaseIterable, Sendable {
    /// Send a notification to every target.
    case test
    /// Print the push registrations.
    case list
}

extension NotifyAction: ArgumentValue {}
