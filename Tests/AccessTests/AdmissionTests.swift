import HTTP1
import Testing

@testable import Access

@Suite struct AdmissionTests {
    private let admission = Admission(
        user: 1000, allowedOrigins: ["https://ok.example"], hosts: HostNames(["Bridge.example"]))

    private func judge(_ fields: [(String, String)], target: String = "/tinyvex", peer: Peer = .network(nil))
        -> Admission.Verdict
    {
        let headers = Headers(fields.map { (name: $0.0, value: $0.1) })
        let head = RequestHead(method: "GET", target: target, headers: headers)
        if let refusal = admission.judgeNames(head, from: peer) { return .refused(refusal) }
        return admission.judgeToken(head, from: peer, ticket: { $0 == "once" ? .nobody : nil }) {
            $0 == "secret" ? .tokenFile : nil
        }
    }

    private func status(_ verdict: Admission.Verdict) -> Int {
        if case .refused(let refusal) = verdict { return refusal.status }
        return 200
    }

    private static let token = ("Authorization", "Bearer secret")
    private static let host = ("Host", "127.0.0.1:7717")

    @Test func theSameUserOnTheSocketNeedsNoToken() {
        #expect(judge([("Host", "x")], peer: .local(user: 1000)) == .admitted(.localUser(1000)))
    }

    @Test func anotherUserOnTheSocketNeedsAToken() {
        #expect(status(judge([("Host", "localhost")], peer: .local(user: 1001))) == 401)
        #expect(judge([("Host", "localhost"), Self.token], peer: .local(user: 1001)) == .admitted(.tokenFile))
    }

    @Test(arguments: ["Bearer wrong", "Bearer secretx", "Bearer secre", "Basic secret", "secret", "Bearer", "Bearer "])
    func aWrongTokenIsRefused(value: String) {
        #expect(status(judge([Self.host, ("Authorization", value)])) == 401)
    }

    @Test func theNetworkListenerRequiresExactlyOneToken() {
        #expect(judge([Self.host, Self.token]) == .admitted(.tokenFile))
        #expect(judge([Self.host, ("authorization", "bearer secret")]) == .admitted(.tokenFile))
        #expect(status(judge([Self.host])) == 401)
        #expect(status(judge([Self.host, Self.token, Self.token])) == 401)
    }

    @Test(arguments: [
        "https://evil.example", "null", "http://ok.example", "https://ok.example.evil", "http://127.0.0.1:7718",
    ])
    func aForeignOriginIsRefusedEvenWithTheToken(origin: String) {
        #expect(status(judge([Self.host, Self.token, ("Origin", origin)])) == 403)
        #expect(status(judge([Self.host, ("Origin", origin)], peer: .local(user: 1000))) == 403)
    }

    @Test func anAllowedOriginStillNeedsTheToken() {
        #expect(judge([Self.host, Self.token, ("Origin", "https://ok.example")]) == .admitted(.tokenFile))
        #expect(status(judge([Self.host, ("Origin", "https://ok.example")])) == 401)
        #expect(
            status(
                judge([Self.host, Self.token, ("Origin", "https://ok.example"), ("Origin", "https://evil.example")]))
                == 403)
    }

    @Test(arguments: [
        "bridge.example", "BRIDGE.example:443", "localhost", "localhost:7717", "LOCALHOST", "a.localhost", "127.0.0.1",
        "127.1.2.3:80", "[::1]", "[::1]:7717",
    ])
    func loopbackAndConfiguredHostNamesAreAccepted(host: String) {
        #expect(judge([("Host", host), Self.token]) == .admitted(.tokenFile))
    }

    @Test(arguments: [
        "evil.example", "not.bridge.example", "bridge.example.evil", "localhost.evil.example", "127.0.0.1.evil.example",
        "10.0.0.1", "127.0.0", "127.0.0.+1", "127.0.0.１", "[::2]", "", "[::1].evil.example", "[::1]x:1",
        "localhost:x.evil.example",
        "localhost:80:80",
    ])
    func foreignHostNamesAreRefused(host: String) { #expect(status(judge([("Host", host), Self.token])) == 421) }

    @Test(arguments: [
        "/tinyvex?token=secret", "/tinyvex?a=b&access_token=secret", "/tinyvex?Token=x", "/tinyvex?tok%65n=x",
        "/tinyvex?%54oken=x",
    ])
    func aTokenInTheURLIsRefused(target: String) {
        #expect(status(judge([Self.host, Self.token], target: target)) == 400)
    }

    private static let protocols = "Sec-WebSocket-Protocol"

    @Test(arguments: ["tinyvex.v1, bearer.secret", "bearer.secret", "bearer.secret,tinyvex.v1"])
    func aTokenCanBeSentAsASubprotocol(value: String) {
        #expect(judge([Self.host, (Self.protocols, value)]) == .admitted(.tokenFile))
    }

    @Test(arguments: [
        "tinyvex.v1", "bearer.", "bearer.wrong", "Bearer.secret", "bearer.secret, bearer.secret",
        "bearer.secret, bearer.x",
    ])
    func invalidSubprotocolTokensAreRefused(value: String) {
        #expect(status(judge([Self.host, (Self.protocols, value)])) == 401)
    }

    @Test func aTokenInBothHeaderAndSubprotocolIsRefused() {
        #expect(status(judge([Self.host, Self.token, (Self.protocols, "bearer.secret")])) == 401)
    }

    // MARK: The bridge's own page

    private static let ownOrigin = ("Origin", "http://127.0.0.1:7717")

    @Test func theBridgesOwnPageStillNeedsTheToken() {
        #expect(judge([Self.host, Self.token, Self.ownOrigin]) == .admitted(.tokenFile))
        #expect(status(judge([Self.host, Self.ownOrigin])) == 401)
    }

    @Test func aPageOfAReboundNameIsNotTheBridgesOwn() {
        let page = ("Origin", "http://rebound.example:7717")
        #expect(status(judge([("Host", "rebound.example:7717"), Self.token, page])) == 403)
    }

    @Test func noPageIsTheBridgesOwnOnTheUnixSocket() {
        #expect(status(judge([Self.host, Self.ownOrigin], peer: .local(user: 1000))) == 403)
    }

    // MARK: Tickets

    @Test func aTicketReplacesTheToken() {
        #expect(judge([Self.host], target: "/tinyvex?ticket=once") == .admitted(.nobody))
    }

    @Test(arguments: [
        "/tinyvex?ticket=", "/tinyvex?ticket=other", "/tinyvex?ticket=once&ticket=once",
        "/tinyvex?ticket=once&ticket=other",
    ])
    func aWrongTicketIsRefused(target: String) { #expect(status(judge([Self.host], target: target)) == 401) }

    @Test func aTicketBesideATokenIsRefused() {
        #expect(status(judge([Self.host, Self.token], target: "/tinyvex?ticket=once")) == 401)
        #expect(
            status(judge([Self.host, (Self.protocols, "bearer.secret")], target: "/tinyvex?ticket=once")) == 401)
    }

    @Test func aRouteWithoutTicketsNeedsTheToken() {
        let head = RequestHead(
            method: "GET", target: "/v1/sessions?ticket=once", headers: Headers([(name: "Host", value: "localhost")]))
        #expect(status(admission.judgeToken(head, from: .network(nil)) { _ in nil }) == 401)
    }
}
