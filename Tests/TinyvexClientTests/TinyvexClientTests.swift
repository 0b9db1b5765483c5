import Testing
import TinyvexClient

@Suite struct TinyvexClientTests {
    @Test func anEndpointIsReadFromText() throws { #expect(try Endpoint("unix:/b").description == "unix:/b") }
}
