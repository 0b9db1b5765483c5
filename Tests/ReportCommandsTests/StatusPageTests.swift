import JSONScan
import Testing

@testable import ReportCommands

@Suite struct StatusPageTests {
    private func page(_ status: String) throws -> String {
        "\(StatusCommand.page(try JSONValue(validating: Array(status.utf8))))"
    }

    @Test func theHubsAndTheirFailuresAreShown() throws {
        let page = try page(
            #"{"hub":{"place":"db/fleet","state":"failed","error":"refused"},"hubReader":{"place":"db","state":"online"}}"#
        )
        #expect(page.contains("ships to db/fleet: failed: refused"))
        #expect(page.contains("reads from db: online"))
        #expect(try !self.page("{}").contains("hub"))
    }

    @Test func thePublicAddressIsShownIfThereIsOne() throws {
        #expect(try page(#"{"publicUrl":"https://b.example/base"}"#).contains("https://b.example/base"))
        #expect(try !page("{}").contains("public url"))
    }
}
