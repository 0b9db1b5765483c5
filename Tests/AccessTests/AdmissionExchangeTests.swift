import JSONScan
import TestSupport
import Testing
import Tinyvex

@testable import Access
@testable import EventLoop
@testable import Posix

/// The way from a code to a token, and from a token to a ticket.
@Suite(.timeLimit(.minutes(1))) struct AdmissionExchangeTests {
    init() { LoopThread.start }

    private let start = Instant(nanoseconds: 0)
    private static let admin = Identity(who: "uid 1000", role: .admin)

    @LoopActor private func with(_ body: (Authenticator) throws -> Void) throws {
        let folder = TemporaryFolder()
        let home = Home(root: folder.path)
        try home.prepare()
        try body(
            Authenticator(own: try AccessToken.load(path: home.token), file: TokenFile(home), issuers: nil))
    }

    private func order(_ json: String) throws -> CodeOrder {
        try CodeOrder(Parameters(try JSONValue(validating: Array(json.utf8))))
    }

    @Test @LoopActor func aCodeGivesATokenOfItsRoleOnce() throws {
        try with { authenticator in
            let order = try order(#"{"role":"observe","name":"browser","ttlSeconds":60}"#)
            let code = try authenticator.issueCode(order, by: Self.admin, at: start)
            let redeemed = try #require(try authenticator.redeem(code: code.text, name: nil, at: start))
            #expect(redeemed.token.record.role == .observe && redeemed.token.record.name == "browser")
            #expect(redeemed.token.record.expiresTs == redeemed.token.record.createdTs + 60_000)
            #expect(redeemed.by.who == "code of uid 1000" && redeemed.by.role == nil)
            #expect(authenticator.identity(showing: redeemed.token.text)?.role == .observe)
            #expect(try authenticator.redeem(code: code.text, name: nil, at: start) == nil)
        }
    }

    @Test @LoopActor func aLinkGivesItsTokenOnceUnlessItWasRevoked() throws {
        try with { authenticator in
            let session = SharedSession(agent: "codex", sessionId: "s1", journal: "9f03c2aa-16-1")
            let order = try TokenOrder(role: .observe, name: "review", lifeSeconds: 259_200, session: session)
            let link = try authenticator.share(order, by: Self.admin, at: start)
            #expect(link.code.life == .seconds(86_400))
            let opened = try #require(try authenticator.redeem(code: link.code.text, name: "phone", at: start))
            #expect(opened.token.record == link.record && opened.token.record.session == session)
            #expect(authenticator.identity(showing: opened.token.text)?.session == session)
            #expect(try authenticator.redeem(code: link.code.text, name: nil, at: start) == nil)
            let revoked = try authenticator.share(order, by: Self.admin, at: start)
            try authenticator.revoke(revoked.record.id)
            #expect(try authenticator.redeem(code: revoked.code.text, name: nil, at: start) == nil)
        }
    }

    @Test @LoopActor func aLinkEndsWithTheTokenOfTheOneWhoMadeIt() throws {
        try with { authenticator in
            let now = wallClockMilliseconds()
            let guest = Identity(who: "token tk_1", role: .control, tokenId: "tk_1", expiresTs: now + 60_000)
            let session = SharedSession(agent: "codex", sessionId: "s1", journal: "9f03c2aa-16-1")
            let order = try TokenOrder(role: .observe, name: "review", lifeSeconds: 259_200, session: session)
            let link = try authenticator.share(order, by: guest, at: start)
            #expect(try #require(link.record.expiresTs) - link.record.createdTs <= 60_000)
        }
    }

    @Test @LoopActor func revokingATokenRevokesTheLinksMadeWithIt() throws {
        try with { authenticator in
            let maker = try authenticator.issue(TokenOrder(role: .control, name: "phone", lifeSeconds: nil))
            let identity = try #require(authenticator.identity(showing: maker.text))
            let session = SharedSession(agent: "codex", sessionId: "s1", journal: "9f03c2aa-16-1")
            let order = try TokenOrder(role: .observe, name: "review", lifeSeconds: 600, session: session)
            let own = try authenticator.share(order, by: identity, at: start)
            let another = try authenticator.share(order, by: Self.admin, at: start)
            let guest = try #require(try authenticator.redeem(code: own.code.text, name: nil, at: start)).token
            let guestIdentity = try #require(authenticator.identity(showing: guest.text))
            try authenticator.revoke(maker.record.id)
            #expect(!authenticator.isGood(guestIdentity, at: wallClockMilliseconds()))
            #expect(authenticator.identity(showing: guest.text) == nil)
            #expect(try authenticator.redeem(code: another.code.text, name: nil, at: start) != nil)
        }
    }

    @Test @LoopActor func aCodeEndsWithItsTime() throws {
        try with { authenticator in
            for (json, seconds) in [(#"{"role":"observe"}"#, 60), (#"{"role":"observe","lifeSeconds":300}"#, 300)] {
                let order = try order(json)
                let codes = try (0..<2).map { _ in try authenticator.issueCode(order, by: Self.admin, at: start).text }
                let end = start + .seconds(seconds)
                #expect(try authenticator.redeem(code: codes[0], name: nil, at: end) == nil)
                #expect(try authenticator.redeem(code: codes[1], name: nil, at: start + .seconds(seconds - 1)) != nil)
            }
        }
    }

    @Test @LoopActor func aWrongNameKeepsTheCode() throws {
        try with { authenticator in
            let code = try authenticator.issueCode(try order(#"{"role":"observe"}"#), by: Self.admin, at: start)
            for name in ["", "a\nb", String(repeating: "x", count: 101)] {
                #expect(throws: Rejection.self) { try authenticator.redeem(code: code.text, name: name, at: start) }
            }
            #expect(try authenticator.redeem(code: code.text, name: "phone", at: start)?.token.record.name == "phone")
        }
    }

    @Test @LoopActor func aTokenOfACodeHasAnEnd() throws {
        try with { authenticator in
            let code = try authenticator.issueCode(try order(#"{"role":"observe"}"#), by: Self.admin, at: start)
            let record = try #require(try authenticator.redeem(code: code.text, name: nil, at: start)).token.record
            #expect(record.expiresTs == record.createdTs + 30 * 86_400_000)
        }
    }

    @Test @LoopActor func unusedCodesAreBounded() throws {
        try with { authenticator in
            let order = try order(#"{"role":"observe"}"#)
            for _ in 0..<64 { _ = try authenticator.issueCode(order, by: Self.admin, at: start) }
            let error = #expect(throws: Rejection.self) {
                try authenticator.issueCode(order, by: Self.admin, at: start)
            }
            #expect(error?.code == .limitExceeded)
            _ = try authenticator.issueCode(order, by: Self.admin, at: start + .seconds(60))
        }
    }

    @Test(arguments: [
        "{}", #"{"role":"root"}"#, #"{"role":"observe","lifeSeconds":0}"#, #"{"role":"observe","lifeSeconds":601}"#,
        #"{"role":"observe","short":1}"#, #"{"role":"observe","ttlSeconds":0}"#,
    ])
    func aWrongOrderIsRefused(json: String) { #expect(throws: Rejection.self) { try order(json) } }

    @Test @LoopActor func aTicketIsValidOnceForThirtySeconds() throws {
        try with { authenticator in
            let identity = Identity(who: "jwt alice", role: .control, tenant: "acme")
            let tickets = try (0..<2).map { _ in try authenticator.issueTicket(for: identity, at: start) }
            let late = start + .seconds(30)
            #expect(authenticator.identity(showingTicket: tickets[0], at: late) == nil)
            let soon = start + .milliseconds(29_999)
            #expect(authenticator.identity(showingTicket: tickets[1], at: soon) == identity)
            #expect(authenticator.identity(showingTicket: tickets[1], at: soon) == nil)
        }
    }

    @Test @LoopActor func aTicketEndsWithItsToken() throws {
        try with { authenticator in
            let token = try authenticator.issue(try TokenOrder(role: .observe, name: nil, lifeSeconds: 20))
            let identity = try #require(authenticator.identity(showing: token.text))
            let tickets = try (0..<3).map { _ in try authenticator.issueTicket(for: identity, at: start) }
            #expect(authenticator.identity(showingTicket: tickets[0], at: start) == identity)
            let expired = token.record.createdTs + 20_000
            #expect(authenticator.identity(showingTicket: tickets[1], at: start, date: expired) == nil)
            try authenticator.revoke(token.record.id)
            #expect(authenticator.identity(showingTicket: tickets[2], at: start) == nil)
        }
    }
}
