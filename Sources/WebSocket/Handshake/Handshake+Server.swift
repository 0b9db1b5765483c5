import HTTPTokens

extension Handshake {
    /// A valid request for a WebSocket.
    package struct Acceptance: Sendable, Equatable {
        /// The value of `Sec-WebSocket-Accept`.
        package let acceptKey: String
        /// The client's subprotocols in `Sec-WebSocket-Protocol`, most preferred first.
        package let subprotocols: [String]
        /// The compression of messages. Nil when the client did not offer it, or did not offer it in an acceptable
        /// form.
        package let deflate: PermessageDeflate?
        private let extensions: String?

        init(acceptKey: String, subprotocols: [String], agreement: PermessageDeflate.Agreement?) {
            self.acceptKey = acceptKey
            self.subprotocols = subprotocols
            deflate = agreement?.deflate
            extensions = agreement?.fieldValue
        }

        /// The header fields of the 101 response. A `subprotocol` that the client did not offer is left out, because
        /// the client would have to fail the connection.
        package func fields(subprotocol: String? = nil) -> [(name: String, value: String)] {
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

    /// The HTTP response that explains why a request does not open a WebSocket.
    package struct Refusal: Error, Sendable, Equatable {
        package let status: Int
        /// One sentence.
        package let reason: String

        /// The header fields that the status requires.
        package var fields: [(name: String, value: String)] {
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

    /// Checks a client's request. Source: RFC 6455, section 4.2.1.
    ///
    /// Not checked: the path, `Origin` and credentials. The caller must check them before it sends 101. Of the possible
    /// extensions, only permessage-deflate is accepted, and only if `deflate` has terms for it.
    package static func accept(
        method: String, httpMinorVersion: Int, deflate: PermessageDeflate.Terms? = nil, fields: FieldLookup
    ) -> Result<Acceptance, Refusal> {
        Result { () throws(Refusal) in
            try requireUpgrade(method: method, httpMinorVersion: httpMinorVersion, fields: fields)
            try requireVersion(fields("Sec-WebSocket-Version"))
            let keys = fields("Sec-WebSocket-Key")
            guard keys.count == 1, let key = keys.first, Base64.isEncoding(key, ofByteCount: 16) else {
                throw Refusal(status: 400, reason: "Sec-WebSocket-Key must occur once, with 16 bytes in base64.")
            }
            let subprotocols = FieldList.elements(of: fields("Sec-WebSocket-Protocol"))
            guard subprotocols.allSatisfy({ HTTPToken.isValid($0.utf8) }), Set(subprotocols).count == subprotocols.count
            else {
                throw Refusal(status: 400, reason: "Sec-WebSocket-Protocol must list tokens without repetition.")
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
            throw Refusal(status: 405, reason: "A WebSocket request must use GET.")
        }
        guard FieldList.contains("websocket", in: fields("Upgrade")) else {
            throw Refusal(status: 426, reason: "This resource requires the Upgrade field to name WebSocket.")
        }
        guard httpMinorVersion >= 1 else {
            throw Refusal(status: 400, reason: "A WebSocket needs HTTP/1.1.")
        }
        guard FieldList.contains("upgrade", in: fields("Connection")) else {
            throw Refusal(status: 400, reason: "The Connection field must name Upgrade.")
        }
        guard fields("Host").count == 1 else {
            throw Refusal(status: 400, reason: "The Host field must occur exactly once.")
        }
    }

    private static func requireVersion(_ values: [String]) throws(Refusal) {
        guard values.count == 1, let value = values.first else {
            throw Refusal(status: 400, reason: "Sec-WebSocket-Version must occur exactly once.")
        }
        guard value == version else {
            throw Refusal(status: 426, reason: "The only supported WebSocket version is \(version).")
        }
    }
}
