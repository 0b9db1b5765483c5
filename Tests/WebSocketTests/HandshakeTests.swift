import Testing
import WebSocket

@Suite struct HandshakeTests {
    static let sampleKey = "dGhlIHNhbXBsZSBub25jZQ=="
    static let sampleAccept = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="

    static let request: [(name: String, value: String)] = [
        ("Host", "server.example.com"), ("Upgrade", "websocket"), ("Connection", "Upgrade"),
        ("Sec-WebSocket-Key", sampleKey), ("Sec-WebSocket-Version", "13"),
    ]

    static let response: [(name: String, value: String)] = [
        ("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Sec-WebSocket-Accept", sampleAccept),
    ]

    static func lookup(_ fields: [(name: String, value: String)]) -> Handshake.FieldLookup {
        { name in fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value) }
    }

    /// The fields with one field's values replaced. Without values, the field is left out.
    static func replacing(
        _ name: String, _ values: [String], in fields: [(name: String, value: String)]
    ) -> Handshake.FieldLookup {
        lookup(fields.filter { $0.name != name } + values.map { (name, $0) })
    }

    static func accept(_ name: String, _ values: [String]) -> Result<Handshake.Acceptance, Handshake.Refusal> {
        Handshake.accept(method: "GET", httpMinorVersion: 1, fields: replacing(name, values, in: request))
    }

    static func refusedStatus(_ result: Result<Handshake.Acceptance, Handshake.Refusal>) -> Int? {
        if case .failure(let refusal) = result { refusal.status } else { nil }
    }

    @Test(arguments: [
        (sampleKey, sampleAccept), ("x3JJHMbDL1EzLkh9GBhXDw==", "HSmrc0sMlYUkAGmm5OPpG2HaGWk="),
    ])
    func knownKeysHaveTheKnownAcceptValues(key: String, accept: String) {
        #expect(Handshake.acceptKey(for: key) == accept)
    }

    @Test func aKeyIsWrittenFromItsNonce() {
        let nonce = Array("the sample nonce".utf8)
        func word(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) } }
        #expect(Handshake.key(nonce: (word(nonce[..<8]), word(nonce[8...]))) == Self.sampleKey)
    }

    @Test func theRequestOfTheStandardIsAccepted() throws {
        let acceptance = try Self.accept("Sec-WebSocket-Protocol", ["chat, superchat", "v2"]).get()
        #expect(acceptance.acceptKey == Self.sampleAccept)
        #expect(acceptance.subprotocols == ["chat", "superchat", "v2"])
        let fields = acceptance.fields(subprotocol: "chat")
        #expect(fields.map(\.name) == ["Upgrade", "Connection", "Sec-WebSocket-Accept", "Sec-WebSocket-Protocol"])
        #expect(fields.map(\.value) == ["websocket", "Upgrade", Self.sampleAccept, "chat"])
        #expect(acceptance.fields(subprotocol: "other").count == 3)
        #expect(acceptance.fields().count == 3)
    }

    @Test(arguments: [
        ("Connection", ["keep-alive, Upgrade"]), ("Connection", ["keep-alive", "UPGRADE"]),
        ("Connection", [" ,\tupgrade\t,"]), ("Upgrade", ["WebSocket"]), ("Upgrade", ["h2c, websocket"]),
        ("Sec-WebSocket-Extensions", ["permessage-deflate; client_max_window_bits"]),
    ])
    func listsAreAcceptedInAnyCase(name: String, values: [String]) {
        #expect(Self.refusedStatus(Self.accept(name, values)) == nil)
    }

    @Test(arguments: [
        ("Upgrade", [], 426), ("Upgrade", ["websockets"], 426), ("Upgrade", ["h2c"], 426),
        ("Connection", [], 400), ("Connection", ["keep-alive"], 400), ("Connection", ["not-upgrade"], 400),
        ("Host", [], 400), ("Host", ["a", "b"], 400),
        ("Sec-WebSocket-Key", [], 400), ("Sec-WebSocket-Key", [sampleKey, sampleKey], 400),
        ("Sec-WebSocket-Key", ["dGhlIHNhbXBsZSBub25jZQ="], 400), ("Sec-WebSocket-Key", ["dGhlIHNhbXBsZSBub25j"], 400),
        ("Sec-WebSocket-Key", ["dGhlIHNhbXBsZSBub25jZQ=a"], 400),
        ("Sec-WebSocket-Key", ["dGhlIHNhbXBsZSBub25jZSE="], 400),
        ("Sec-WebSocket-Key", ["dGhlIHNhbXBsZSBu!25jZQ=="], 400), ("Sec-WebSocket-Key", [""], 400),
        ("Sec-WebSocket-Version", [], 400), ("Sec-WebSocket-Version", ["13", "13"], 400),
        ("Sec-WebSocket-Version", ["8"], 426), ("Sec-WebSocket-Version", ["14"], 426),
        ("Sec-WebSocket-Version", ["13, 8"], 426),
        ("Sec-WebSocket-Extensions", ["a b"], 400), ("Sec-WebSocket-Extensions", ["x; y=\"a b\""], 400),
        ("Sec-WebSocket-Extensions", ["x;"], 400), ("Sec-WebSocket-Extensions", ["x; =1"], 400),
        ("Sec-WebSocket-Protocol", ["chat, chat"], 400), ("Sec-WebSocket-Protocol", ["a b"], 400),
    ])
    func requestsWithMissingOrWrongFieldsAreRefused(name: String, values: [String], status: Int) {
        #expect(Self.refusedStatus(Self.accept(name, values)) == status)
    }

    @Test func otherMethodsAndOldVersionsAreRefused() {
        let lookup = Self.lookup(Self.request)
        #expect(
            Self.refusedStatus(Handshake.accept(method: "POST", httpMinorVersion: 1, fields: lookup)) == 405)
        #expect(Self.refusedStatus(Handshake.accept(method: "GET", httpMinorVersion: 0, fields: lookup)) == 400)
    }

    @Test func aVersionRefusalNamesTheSupportedVersion() throws {
        guard case .failure(let refusal) = Self.accept("Sec-WebSocket-Version", ["8"]) else {
            Issue.record("version 8 was accepted")
            return
        }
        #expect(refusal.fields.contains { $0.name == "Sec-WebSocket-Version" && $0.value == "13" })
        #expect(refusal.fields.contains { $0.name == "Upgrade" && $0.value == "websocket" })
    }

    @Test func theClientsRequestIsWritten() {
        let bytes = Handshake.clientRequest(
            host: "localhost:7777", path: "/acp?session=7", key: Self.sampleKey, subprotocols: ["a", "b"],
            fields: [("Authorization", "Bearer x\r\nForged: 1")])
        let lines = [
            "GET /acp?session=7 HTTP/1.1", "Host: localhost:7777", "Upgrade: websocket", "Connection: Upgrade",
            "Sec-WebSocket-Key: \(Self.sampleKey)", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Protocol: a, b",
            "Authorization: Bearer x  Forged: 1", "", "",
        ]
        #expect(String(decoding: bytes, as: UTF8.self) == lines.joined(separator: "\r\n"))
    }

    static func verify(_ name: String, _ values: [String]) throws(Handshake.Failure) -> String? {
        try Handshake.verify(
            status: 101, key: sampleKey, offeredSubprotocols: ["a", "b"], fields: replacing(name, values, in: response)
        ).subprotocol
    }

    @Test func theServersResponseIsVerified() throws {
        #expect(try Self.verify("Sec-WebSocket-Protocol", []) == nil)
        #expect(try Self.verify("Sec-WebSocket-Protocol", ["b"]) == "b")
        #expect(try Self.verify("Upgrade", ["WEBSOCKET"]) == nil)
    }

    @Test(
        arguments: [
            ("Upgrade", [], .upgradeMissing), ("Upgrade", ["h2c"], .upgradeMissing),
            ("Connection", ["close"], .connectionUpgradeMissing),
            ("Sec-WebSocket-Accept", [], .wrongAcceptKey), ("Sec-WebSocket-Accept", [sampleKey], .wrongAcceptKey),
            ("Sec-WebSocket-Accept", [sampleAccept.lowercased()], .wrongAcceptKey),
            ("Sec-WebSocket-Extensions", ["permessage-deflate"], .extensionNotOffered),
            ("Sec-WebSocket-Protocol", ["c"], .subprotocolNotOffered),
            ("Sec-WebSocket-Protocol", ["a", "b"], .subprotocolNotOffered),
        ] as [(String, [String], Handshake.Failure)])
    func aWrongResponseIsRefused(name: String, values: [String], failure: Handshake.Failure) {
        #expect(throws: failure) { try Self.verify(name, values) }
    }

    @Test(arguments: [200, 301, 401, 426, 503])
    func anyOtherStatusIsRefused(status: Int) {
        #expect(throws: Handshake.Failure.status(status)) {
            try Handshake.verify(status: status, key: Self.sampleKey, fields: Self.lookup(Self.response))
        }
    }
}
