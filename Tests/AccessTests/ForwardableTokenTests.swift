import Testing

@testable import Access

@Suite struct ForwardableTokenTests {
    @Test func noDescriptionOfAnIdentityHasItsToken() {
        var identity = Identity(who: "jwt a", role: .control)
        identity.shownToken = ForwardableToken("secret")
        var dumped = ""
        dump(identity, to: &dumped)
        #expect(!"\(identity) \(String(reflecting: identity)) \(dumped)".contains("secret"))
        #expect(identity.shownToken?.text == "secret")
    }
}
