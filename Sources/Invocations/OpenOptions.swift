import ArgumentParsing

/// Options of `acpbridge open`.
package struct OpenOptions: Equatable, Sendable {
    /// Show a QR code for a phone instead of starting a browser.
    package var phone: Bool
    /// The address of the page, if it is not one at which the bridge listens.
    package var address: WebOrigin?
    /// Print the page's URL instead of starting a browser.
    package var prints: Bool
    /// The role of the browser's token.
    package var role: TokenRole
    /// The lifetime of the browser's token; nil means the bridge's default.
    package var life: Duration?
    /// A name for the browser's token, which the page can replace.
    package var name: String?
    package var connection: ConnectionOptions

    package init(
        phone: Bool = false, address: WebOrigin? = nil, prints: Bool = false, role: TokenRole = .control,
        life: Duration? = nil, name: String? = nil, connection: ConnectionOptions = ConnectionOptions()
    ) {
        self.phone = phone
        self.address = address
        self.prints = prints
        self.role = role
        self.life = life
        self.name = name
        self.connection = connection
    }
}
