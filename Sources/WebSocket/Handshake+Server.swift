extension Handshake {
    /// A request that asks for a WebSocket correctly.
    public struct Acceptance: Sendable, Equatable {
        /// The value of `Sec-WebSocket-Accept`.
        public let acceptKey: String
        /// What the client offers in `Sec-WebSocket-Protocol`, most wanted first.
        public let subprotocols: [String]
        /// How messages are compressed; nil when that was not asked for, or not as it could be done.
        public let deflate: PermessageDeflate?
        private let extensions: String?

        init(acceptKey: String, subprotocols: [String], agreement: PermessageDeflate.Agreement?) {
            self.acceptKey = acceptKey
            self.subprotocols = subprotocols
            deflate = agreement?.deflate
            extensions = agreement?.fieldValue
        }

        /// The header fields of the 101 response. A `subprotocol` the client did not offer is left out, since the
        /// client would have to fail the connection over it.
        public func fields(subprotocol: String? = nil) -> [(name: String, value: String)] {
            var fields = [
                (name: "Upgrade", value: "websocket"),
                (name: "Connection", value: "Upgrade"),
                (name: "Sec-WebSocket-Accept", value: acceptKey),
            ]
            if let subprotocol, subprotocols.contains(subprotocol) {
                fields.append((name: "Sec-WebSocket-Protocol", value: subprotocol))
            }
            if let extensions { fields.append((name: "Sec-WebSocket-Extensions", value: extensions)) }
            return fields
        }
    }

    /// Why a request does not become a WebSocket, as the HTTP response to it.
    public struct Refusal: Error, Sendable, Equatable {
        public let status: Int
        /// One sentence.
        public let reason: String

        /// The header fields that the status asks for.
        public var fields: [(name: String, value: String)] {
            switch status {
            case 405: [(name: "Allow", value: "GET")]
            case 426:
                [
                    (name: "Upgrade", value: "websocket"), (name: "Connection", value: "Upgrade"),
                    (name: "Sec-WebSocket-Version", value: version),
                ]
            default: []
            }
        }
    }

    /// Judges a client's request. Source: RFC 6455, section 4.2.1.
    ///
    /// Not looked at: the path, `Origin` and any credentials, which are the caller's to check before it answers 101.
    /// Of the extensions that may be offered, permessage-deflate is agreed to where `deflate` names terms for it.
    public static func accept(
        method: String, httpMinorVersion: Int, deflate: PermessageDeflate.Terms? = nil, fields: FieldLookup
    ) -> Result<Acceptance, Refusal> {
        Result { () throws(Refusal) in
            try requireUpgrade(method: method, httpMinorVersion: httpMinorVersion, fields: fields)
            try requireVersion(fields("Sec-WebSocket-Version"))
            let keys = fields("Sec-WebSocket-Key")
            guard keys.count == 1, let key = keys.first, Base64.isEncoding(key, ofByteCount: 16) else {
                throw Refusal(status: 400, reason: "Sec-WebSocket-Key must be there once, as 16 bytes in base64.")
            }
            let subprotocols = FieldList.elements(of: fields("Sec-WebSocket-Protocol"))
            guard subprotocols.allSatisfy(FieldList.isToken), Set(subprotocols).count == subprotocols.count else {
                throw Refusal(status: 400, reason: "Sec-WebSocket-Protocol must list tokens, each of them once.")
            }
            guard let extensions = ExtensionElement.list(fields("Sec-WebSocket-Extensions")) else {
                throw Refusal(status: 400, reason: "Sec-WebSocket-Extensions must list names with their parameters.")
            }
            return Acceptance(
                acceptKey: acceptKey(for: key), subprotocols: subprotocols,
                agreement: deflate?.agreement(to: extensions))
        }
    }

    private static func requireUpgrade(
        method: String, httpMinorVersion: Int, fields: FieldLookup
    ) throws(Refusal) {
        guard method == "GET" else {
            throw Refusal(status: 405, reason: "A WebSocket is opened by GET.")
        }
        guard FieldList.contains("websocket", in: fields("Upgrade")) else {
            throw Refusal(status: 426, reason: "This resource speaks WebSocket only: the Upgrade field must name it.")
        }
        guard httpMinorVersion >= 1 else {
            throw Refusal(status: 400, reason: "A WebSocket needs HTTP/1.1.")
        }
        guard FieldList.contains("upgrade", in: fields("Connection")) else {
            throw Refusal(status: 400, reason: "The Connection field must name Upgrade.")
        }
        guard fields("Host").count == 1 else {
            throw Refusal(status: 400, reason: "The Host field must be there once.")
        }
    }

    private static func requireVersion(_ values: [String]) throws(Refusal) {
        guard values.count == 1, let value = values.first else {
            throw Refusal(status: 400, reason: "Sec-WebSocket-Version must be there once.")
        }
        guard value == version else {
            throw Refusal(status: 426, reason: "The only WebSocket version spoken here is \(version).")
        }
    }
}
