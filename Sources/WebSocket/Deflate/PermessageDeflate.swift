/// The compression of both directions. Source: RFC 7692, section 7.
package struct PermessageDeflate: Sendable, Equatable {
    /// The registered name of the extension.
    package static let name = "permessage-deflate"

    /// The compression of one direction.
    package struct Direction: Sendable, Equatable {
        /// A message can refer to the contents of earlier messages, so the receiver must remember them.
        package var keepsContext: Bool
        /// The maximum distance of a reference is 2 to the power of this many bytes: 8 to 15.
        package var windowBits: Int

        package init(keepsContext: Bool = true, windowBits: Int = 15) {
            self.keepsContext = keepsContext
            self.windowBits = windowBits
        }
    }

    package var server: Direction
    package var client: Direction

    package init(server: Direction = Direction(), client: Direction = Direction()) {
        self.server = server
        self.client = client
    }

    /// The compression of the messages that the peer of `role` sends.
    func peer(of role: MessageAssembler.Role) -> Direction { role == .server ? client : server }
}

/// The four parameters of one element of `Sec-WebSocket-Extensions`.
struct DeflateParameters: Equatable {
    var serverNoContextTakeover = false
    var clientNoContextTakeover = false
    var serverMaxWindowBits: Int?
    var clientMaxWindowBits: WindowBits?

    enum WindowBits: Equatable {
        case bits(Int)
        /// Without a value. Only a client's offer can omit the value; it means that the server can choose one.
        case negotiable
    }

    init() {}

    /// Nil for anything that section 7 does not define: another name, an unknown parameter, a repeated parameter, or a
    /// value that is not allowed.
    init?(_ element: ExtensionElement) {
        guard element.name == PermessageDeflate.name else { return nil }
        guard Set(element.parameters.map(\.name)).count == element.parameters.count else { return nil }
        for parameter in element.parameters {
            guard apply(parameter.name, parameter.value) else { return nil }
        }
    }

    private mutating func apply(_ name: String, _ value: String?) -> Bool {
        switch (name, value) {
        case ("server_no_context_takeover", nil): serverNoContextTakeover = true
        case ("client_no_context_takeover", nil): clientNoContextTakeover = true
        case ("client_max_window_bits", nil): clientMaxWindowBits = .negotiable
        case ("client_max_window_bits", let value?):
            guard let bits = Self.bits(value) else { return false }
            clientMaxWindowBits = .bits(bits)
        case ("server_max_window_bits", let value?):
            guard let bits = Self.bits(value) else { return false }
            serverMaxWindowBits = bits
        default: return false
        }
        return true
    }

    /// Decimal, without leading zeros. Source: RFC 7692, section 7.1.2.1.
    private static func bits(_ text: String) -> Int? {
        (8...15).first { String($0) == text }
    }

    /// The parameters as one element of the header field.
    var text: String {
        var parts = [PermessageDeflate.name]
        if serverNoContextTakeover { parts.append("server_no_context_takeover") }
        if clientNoContextTakeover { parts.append("client_no_context_takeover") }
        if let serverMaxWindowBits { parts.append("server_max_window_bits=\(serverMaxWindowBits)") }
        switch clientMaxWindowBits {
        case nil: break
        case .negotiable: parts.append("client_max_window_bits")
        case .bits(let bits): parts.append("client_max_window_bits=\(bits)")
        }
        return parts.joined(separator: "; ")
    }
}
