extension Handshake {
    /// Why a server's answer does not open a WebSocket.
    public enum Failure: Error, Sendable, Equatable {
        case status(Int)
        case upgradeMissing
        case connectionUpgradeMissing
        case wrongAcceptKey
        case extensionNotOffered
        case subprotocolNotOffered
    }

    /// The request that asks a server for a WebSocket.
    ///
    /// `path` includes the query; `fields` are added as they are, save that control characters in them become spaces, so
    /// that no value can forge a line.
    public static func clientRequest(
        host: String, path: String, key: String, subprotocols: [String] = [],
        fields: [(name: String, value: String)] = []
    ) -> [UInt8] {
        var lines = [
            "GET \(path) HTTP/1.1", "Host: \(host)", "Upgrade: websocket", "Connection: Upgrade",
            "Sec-WebSocket-Key: \(key)", "Sec-WebSocket-Version: \(version)",
        ]
        if !subprotocols.isEmpty {
            lines.append("Sec-WebSocket-Protocol: \(subprotocols.joined(separator: ", "))")
        }
        lines += fields.map { "\($0.name): \($0.value)" }
        return lines.flatMap { lineBytes($0) } + lineBytes("")
    }

    /// Judges a server's response and returns the subprotocol it chose, if any. Source: RFC 6455, section 4.1.
    public static func verify(
        status: Int, key: String, offeredSubprotocols: [String] = [], fields: FieldLookup
    ) throws(Failure) -> String? {
        guard status == 101 else { throw .status(status) }
        guard FieldList.contains("websocket", in: fields("Upgrade")) else { throw .upgradeMissing }
        guard FieldList.contains("upgrade", in: fields("Connection")) else { throw .connectionUpgradeMissing }
        guard fields("Sec-WebSocket-Accept") == [acceptKey(for: key)] else { throw .wrongAcceptKey }
        guard FieldList.elements(of: fields("Sec-WebSocket-Extensions")).isEmpty else { throw .extensionNotOffered }
        let chosen = fields("Sec-WebSocket-Protocol")
        guard chosen.count <= 1, chosen.allSatisfy(offeredSubprotocols.contains) else { throw .subprotocolNotOffered }
        return chosen.first
    }

    private static func lineBytes(_ line: String) -> [UInt8] {
        line.utf8.map { $0 < 0x20 || $0 == 0x7F ? UInt8(ascii: " ") : $0 } + [0x0D, 0x0A]
    }
}

extension Handshake.Failure: CustomStringConvertible {
    public var description: String {
        switch self {
        case .status(let status): "The server answered \(status) instead of 101."
        case .upgradeMissing: "The server's answer does not upgrade to WebSocket."
        case .connectionUpgradeMissing: "The Connection field of the server's answer does not name Upgrade."
        case .wrongAcceptKey: "The server's Sec-WebSocket-Accept does not answer our key."
        case .extensionNotOffered: "The server chose an extension that was not offered."
        case .subprotocolNotOffered: "The server chose a subprotocol that was not offered."
        }
    }
}
