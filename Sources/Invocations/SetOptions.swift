/// Options of `acpbridge set`.
package struct SetOptions: Equatable, Sendable {
    /// The session as the user names it; see ``AttachOptions/session``.
    package var session: String
    /// The setting to show or change; nil lists all.
    package var setting: String?
    /// The new value; nil shows the values to choose from.
    package var value: String?
    /// Print JSON instead of a table.
    package var json: Bool
    package var connection: ConnectionOptions

    package init(
        session: String, setting: String? = nil, value: String? = nil, json: Bool = false,
        connection: ConnectionOptions = ConnectionOptions()
    ) {
        self.session = session
        self.setting = setting
        self.value = value
        self.json = json
        self.connection = connection
    }
}
