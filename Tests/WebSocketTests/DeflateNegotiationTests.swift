import Testing
import WebSocket

@Suite struct DeflateNegotiationTests {
    private static let shared = PermessageDeflate.Terms(
        keepsContext: true, windowBits: 12...12, letsClientsKeepContext: false)
    private static let restrictive = PermessageDeflate.Terms(
        keepsContext: false, windowBits: 9...10, letsClientsKeepContext: false)

    private static func accept(_ offers: [String], _ terms: PermessageDeflate.Terms?) throws -> Handshake.Acceptance {
        let fields = HandshakeTests.replacing("Sec-WebSocket-Extensions", offers, in: HandshakeTests.request)
        return try Handshake.accept(method: "GET", httpMinorVersion: 1, deflate: terms, fields: fields).get()
    }

    private static func deflate(
        server: (Bool, Int) = (true, 15), client: (Bool, Int) = (true, 15)
    ) -> PermessageDeflate {
        PermessageDeflate(
            server: .init(keepsContext: server.0, windowBits: server.1),
            client: .init(keepsContext: client.0, windowBits: client.1))
    }

    /// Offers of clients, and the results with a permissive server, a server without context and a restrictive server.
    @Test(
        arguments: [
            ("permessage-deflate", .init(), "permessage-deflate", deflate()),
            ("permessage-deflate; client_max_window_bits", .init(), "permessage-deflate", deflate()),
            (
                "permessage-deflate; client_max_window_bits=10", .init(),
                "permessage-deflate; client_max_window_bits=10", deflate(client: (true, 10))
            ),
            (
                "permessage-deflate; client_max_window_bits=\"10\"; server_max_window_bits=\"8\"", .init(),
                "permessage-deflate; server_max_window_bits=8; client_max_window_bits=10",
                deflate(server: (true, 8), client: (true, 10))
            ),
            (
                "permessage-deflate; server_no_context_takeover; client_no_context_takeover", .init(),
                "permessage-deflate; server_no_context_takeover; client_no_context_takeover",
                deflate(server: (false, 15), client: (false, 15))
            ),
            (
                "permessage-deflate; server_max_window_bits=12; client_max_window_bits=12", shared,
                "permessage-deflate; client_no_context_takeover; server_max_window_bits=12; client_max_window_bits=12",
                deflate(server: (true, 12), client: (false, 12))
            ),
            (
                "permessage-deflate; client_max_window_bits", shared, "permessage-deflate; client_no_context_takeover",
                deflate(server: (true, 12), client: (false, 15))
            ),
            (
                "permessage-deflate; server_max_window_bits=9", restrictive,
                "permessage-deflate; server_no_context_takeover; client_no_context_takeover; server_max_window_bits=9",
                deflate(server: (false, 9), client: (false, 15))
            ),
            (
                "permessage-deflate; server_max_window_bits=11, permessage-deflate", shared,
                "permessage-deflate; client_no_context_takeover", deflate(server: (true, 12), client: (false, 15))
            ),
            ("x-other; y, permessage-deflate", .init(), "permessage-deflate", deflate()),
        ] as [(String, PermessageDeflate.Terms, String, PermessageDeflate)])
    func theFirstAcceptableOfferIsAccepted(
        offer: String, terms: PermessageDeflate.Terms, answer: String, agreed: PermessageDeflate
    ) throws {
        let acceptance = try Self.accept([offer], terms)
        #expect(acceptance.deflate == agreed)
        let field = acceptance.fields().first { $0.name == "Sec-WebSocket-Extensions" }
        #expect(field?.value == answer)
    }

    @Test(arguments: [
        "x-webkit-deflate-frame", "PERMESSAGE-DEFLATE", "permessage-deflate; mystery",
        "permessage-deflate; client_max_window_bits; client_max_window_bits",
        "permessage-deflate; server_max_window_bits", "permessage-deflate; server_max_window_bits=7",
        "permessage-deflate; server_max_window_bits=16", "permessage-deflate; server_max_window_bits=08",
        "permessage-deflate; client_max_window_bits=0", "permessage-deflate; client_max_window_bits=1e1",
        "permessage-deflate; server_no_context_takeover=true", "permessage-deflate; client_no_context_takeover=1",
    ])
    func anInvalidOfferIsDeclined(offer: String) throws {
        let acceptance = try Self.accept([offer], .init())
        #expect(acceptance.deflate == nil)
        #expect(acceptance.fields().count == 3)
        #expect(try Self.accept([offer, "permessage-deflate"], .init()).deflate == Self.deflate())
    }

    @Test func aWindowSmallerThanTheServersIsDeclined() throws {
        #expect(try Self.accept(["permessage-deflate; server_max_window_bits=11"], Self.shared).deflate == nil)
    }

    @Test func withoutTermsNoOfferIsAccepted() throws {
        let acceptance = try Self.accept(["permessage-deflate"], nil)
        #expect(acceptance.deflate == nil)
        #expect(acceptance.fields().count == 3)
    }

    // MARK: The client's side

    private static func verify(
        _ wanted: PermessageDeflate, _ answer: [String]
    ) throws(Handshake.Failure) -> PermessageDeflate? {
        try Handshake.verify(
            status: 101, key: HandshakeTests.sampleKey, offeredDeflate: .init(wanted),
            fields: HandshakeTests.replacing("Sec-WebSocket-Extensions", answer, in: HandshakeTests.response)
        ).deflate
    }

    @Test(
        arguments: [
            (deflate(), "permessage-deflate; client_max_window_bits"),
            (
                deflate(server: (false, 10), client: (false, 9)),
                "permessage-deflate; server_no_context_takeover; client_no_context_takeover; "
                    + "server_max_window_bits=10; client_max_window_bits=9"
            ),
        ])
    func theClientsOfferIsWritten(wanted: PermessageDeflate, field: String) {
        let request = Handshake.clientRequest(
            host: "h", path: "/", key: HandshakeTests.sampleKey, deflate: .init(wanted))
        #expect(String(decoding: request, as: UTF8.self).contains("\r\nSec-WebSocket-Extensions: \(field)\r\n"))
    }

    @Test(
        arguments: [
            (deflate(), [], nil), (deflate(), ["permessage-deflate"], deflate()),
            (
                deflate(), ["permessage-deflate; server_max_window_bits=9; client_max_window_bits=8"],
                deflate(server: (true, 9), client: (true, 8))
            ),
            (
                deflate(), ["permessage-deflate; server_no_context_takeover; client_no_context_takeover"],
                deflate(server: (false, 15), client: (false, 15))
            ),
            (
                deflate(server: (false, 12)),
                ["permessage-deflate; server_no_context_takeover; server_max_window_bits=10"],
                deflate(server: (false, 10))
            ),
        ] as [(PermessageDeflate, [String], PermessageDeflate?)])
    func aClientAcceptsLessThanItOffered(wanted: PermessageDeflate, answer: [String], agreed: PermessageDeflate?) throws
    {
        #expect(try Self.verify(wanted, answer) == agreed)
    }

    @Test(
        arguments: [
            (deflate(), ["x-other"], .extensionNotOffered),
            (deflate(), ["permessage-deflate, permessage-deflate"], .extensionNotOffered),
            (deflate(), ["permessage-deflate; mystery"], .extensionMisanswered),
            (deflate(), ["permessage-deflate; client_max_window_bits"], .extensionMisanswered),
            (deflate(), ["permessage-deflate;"], .extensionMisanswered),
            (deflate(server: (false, 15)), ["permessage-deflate"], .extensionMisanswered),
            (deflate(server: (true, 10)), ["permessage-deflate"], .extensionMisanswered),
            (deflate(server: (true, 10)), ["permessage-deflate; server_max_window_bits=11"], .extensionMisanswered),
        ] as [(PermessageDeflate, [String], Handshake.Failure)])
    func aClientRefusesMoreThanItOffered(wanted: PermessageDeflate, answer: [String], failure: Handshake.Failure) {
        #expect(throws: failure) { try Self.verify(wanted, answer) }
    }

    /// For every offer of a client and all terms of a server, both sides must derive the same compression.
    @Test func bothSidesAgreeOnTheResult() throws {
        for serverBits in 8...15 {
            for clientBits in 8...15 {
                for keeps in [(true, true), (true, false), (false, true), (false, false)] {
                    let wanted = Self.deflate(server: (keeps.0, serverBits), client: (keeps.1, clientBits))
                    let acceptance = try Self.accept([PermessageDeflate.Offer(wanted).fieldValue], .init())
                    let field = try #require(acceptance.fields().first { $0.name == "Sec-WebSocket-Extensions" })
                    #expect(acceptance.deflate == wanted)
                    #expect(try Self.verify(wanted, [field.value]) == wanted)
                }
            }
        }
    }
}
