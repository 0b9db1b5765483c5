extension Handshake {
    /// The reason why a server's response does not open a WebSocket.
    package enum Failure: Error, Sendable, Equatable {
        case status(Int)
        case upgradeMissing
        case connectionUpgradeMissing
        case wrongAcceptKey
        case extensionNotOffered
        /// The server's permessage-deflate parameters do not match the offer.
        case extensionMisanswered
        case subprotocolNotOffered
    }

    /// The result of a successful handshake.
    package struct Opening: Sendable, Equatable {
        /// The subprotocol that the server chose, if any.
        package let subprotocol: String?
        /// The compression of messages, or nil when they are not compressed.
        package let deflate: PermessageDeflate?
    }

    /// The request that asks a server for a WebSocket.
    ///
    /// `path` includes the query. `deflate` is offered unless it is nil. `fields` are added unchanged, except that
    /// control characters in them become spaces, so that no value can forge a line.
    package static func clientRequest(
        host: String, path: String, key: String, subprotocols: [String] = [], deflate: PermessageDeflate.Offer? = nil,
        fields: [(name: String, value: String)] = []
    ) -> [UInt8] {
        var lines = [
            "GET \(path) HTTP/1.1", "Host: \(host)", "Upgrade: websocket", "Connection: Upgrade",
            "Sec-WebSocket-Key: \(key)", "Sec-WebSocket-Version: \(version)",
        ]
        if !subprotocols.isEmpty {
            lines.append("Sec-WebSocket-Protocol: \(subprotocols.joined(separator: ", "))")
        }
        if let deflate { lines.append("Sec-WebSocket-Extensions: \(deflate.fieldValue)") }
        lines += fields.map { "\($0.name): \($0.value)" }
        return lines.flatMap { lineBytes($0) } + lineBytes("")
    }

    /// Checks a server's response to a request with this key, these subprotocols and this offer. Source: RFC 6455,
    /// section 4.1.
    package static func verify(
        status: Int, key: String, offeredSubprotocols: [String] = [], offeredDeflate: PermessageDeflate.Offer? = nil,
        fields: FieldLookup
    ) throws(Failure) -> Opening {
        guard status == 101 else { throw .status(status) }
        guard FieldList.contains("websocket", in: fields("Upgrade")) else { throw .upgradeMissing }
        guard FieldList.contains("upgrade", in: fields("Connection")) else { throw .connectionUpgradeMissing }
        guard fields("Sec-WebSocket-Accept") == [acceptKey(for: key)] else { throw .wrongAcceptKey }
        let deflate = try agreement(to: offeredDeflate, fields("Sec-WebSocket-Extensions"))
        let chosen = fields("Sec-WebSocket-Protocol")
        guard chosen.count <= 1, chosen.allSatisfy(offeredSubprotocols.contains) else { throw .subprotocolNotOffered }
        return Opening(subprotocol: chosen.first, deflate: deflate)
    }

    private static func agreement(
        to offer: PermessageDeflate.Offer?, _ values: [String]
    ) throws(Failure) -> PermessageDeflate? {
        guard let elements = ExtensionElement.list(values) else { throw .extensionMisanswered }
        if let offer { return try offer.agreement(elements) }
        guard elements.isEmpty else { throw .extensionNotOffered }
        return nil
    }

    private static func lineBytes(_ line: String) -> [UInt8] {
        line.utf8.map { $0 < 0x20 || $0 == 0x7F ? UInt8(ascii: " ") : $0 } + [0x0D, 0x0A]
    }
}

extension Handshake.Failure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .status(let status): "The server answered \(status) instead of 101."
        case .upgradeMissing: "The server's answer does not upgrade to WebSocket."
        case .connectionUpgradeMissing: "The Connection field of the server's answer does not name Upgrade."
        case .wrongAcceptKey: "The server's Sec-WebSocket-Accept does not match the request's key."
        case .extensionNotOffered: "The server chose an extension that was not offered."
        case .extensionMisanswered: "The server's permessage-deflate parameters do not match the offer."
        case .subprotocolNotOffered: "The server chose a subprotocol that was not offered."
        }
    }
}
