import Testing

@testable import SessionOutput

@Suite struct LocalUserTests {
    @Test func userIdsInASentenceAreNames() {
        #expect(LocalUser.names(in: "a turn of uid 0 is running") == "a turn of root is running")
        #expect(LocalUser.names(in: "a turn of token 0  is uid x uid") == "a turn of token 0  is uid x uid")
    }
}
