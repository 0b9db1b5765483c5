/// How both sides compress their messages. Source: RFC 7692, section 7.
public struct PermessageDeflate: Sendable, Equatable {
    /// The extension's name, as it is registered.
    public static let name = "permessage-deflate"

    /// How one side compresses.
    public struct Direction: Sendable, Equatable {
        /// A message may refer to what was in those before it, so that the other side has to remember that.
        public var keepsContext: Bool
        /// It refers back by 2 to the power of this many bytes at the most: 8 to 15.
        public var windowBits: Int

        public init(keepsContext: Bool = true, windowBits: Int = 15) {
            self.keepsContext = keepsContext
            self.windowBits = windowBits
        }
    }

    public var server: Direction
    public var client: Direction

    public init(server: Direction = Direction(), client: Direction = Direction()) {
        self.server = server
        self.client = client
    }

    /// How the peer of `role` compresses what it sends.
    func peer(of role: MessageAssembler.Role) -> Direction { role == .server ? client : server }
}

/// The four parameters as one element of `Sec-WebSocket-Extensions` has them.
struct DeflateParameters: Equatable {
    var serverNoContextTakeover = false
    var clientNoContextTakeover = false
    var serverMaxWindowBits: Int?
    var clientMaxWindowBits: WindowBits?

    enum WindowBits: Equatable {
        case bits(Int)
        /// Without a value, which only a client's offer may be: it can be told a number.
        case negotiable
    }

    init() {}

    /// Nil for anything that section 7 does not define: another name, an unknown parameter, one that comes twice, or a
    /// value that it may not have.
    init?(_ element: ExtensionElement) {
        guard element.name == PermessageDeflate.name else { return nil }
        guard Set(element.parameters.map(\.name)).count == element.parameters.count else { return nil }
        for parameter in element.parameters {
            guard take(parameter.name, parameter.value) else { return nil }
        }
    }

    private mutating func take(_ name: String, _ value: String?) -> Bool {
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

    /// As an element of the header field.
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
