/// Options of `acpbridge share`.
package struct ShareOptions: Equatable, Sendable {
    /// The session to share, as the user names it; nil with `list` and `revoke`.
    package var session: String?
    /// The link also allows prompts and answers.
    package var control: Bool
    /// The lifetime of the link; nil means three days.
    package var life: Duration?
    /// A name for the link, shown in the list.
    package var name: String?
    /// The address of the page, if it is not one at which the bridge listens.
    package var address: WebOrigin?
    /// List the links instead of making one.
    package var list: Bool
    /// The id of the link to revoke.
    package var revoke: String?
    /// Print JSON instead of text for people.
    package var json: Bool
    package var connection: ConnectionOptions

    package init(
        session: String? = nil, control: Bool = false, life: Duration? = nil, name: String? = nil,
        address: WebOrigin? = nil, list: Bool = false, revoke: String? = nil, json: Bool = false,
        connection: ConnectionOptions = ConnectionOptions()
    ) {
        self.session = session
        self.control = control
        self.life = life
        self.name = name
        self.address = address
        self.list = list
        self.revoke = revoke
        self.json = json
        self.connection = connection
    }
}
