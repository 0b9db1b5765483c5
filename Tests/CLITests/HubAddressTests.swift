import ArgumentParsing
import Invocations
import Testing

@testable import CLI

@Suite struct HubAddressTests {
    @Test(
        "passwords are masked",
        arguments: [
            ("postgres://me:secret@db:5433/fleet", "postgres://me:***@db:5433/fleet"),
            ("postgresql://me:s:e@c@db/fleet", "postgresql://me:***@db/fleet"),
            (
                "postgres://me@db/fleet?password=secret&sslmode=require",
                "postgres://me@db/fleet?password=***&sslmode=require"
            ),
            ("postgres://me@db/fleet?sslpassword=secret", "postgres://me@db/fleet?sslpassword=***"),
            ("host=db password='se cret' user=me", "host=db password=***"),
        ])
    func passwordsAreMasked(text: String, masked: String) throws {
        let address = try #require(HubAddress(argument: text))
        #expect(address.masked == masked && address.hasPassword)
    }

    @Test(arguments: [
        "postgres://me@db/fleet?passfile=/p", "host=db dbname=fleet", "postgres:///fleet", "service=fleet",
    ])
    func anAddressWithoutAPasswordStaysAsItIs(text: String) throws {
        let address = try #require(HubAddress(argument: text))
        #expect(address.masked == text && !address.hasPassword)
    }

    @Test(arguments: ["", "fleet", "postgres://", "http://db/fleet", "postgres://db/\n"])
    func otherTextsAreNoAddresses(text: String) { #expect(HubAddress(argument: text) == nil) }

    @Test func retentionHasAnAge() throws {
        let parsed = try CommandLineInterface.parse(["hub", "retain", "90d", "--dry-run"])
        #expect(parsed == .hub(HubOptions(action: .retain, age: .seconds(90 * 86_400), isDryRun: true)))
    }

    @Test(arguments: ["hub retain", "hub retain 59m", "hub status 90d", "hub init --dry-run"])
    func theRetentionNeedsAnAge(line: String) {
        #expect(throws: UsageError.self) {
            try CommandLineInterface.parse(line.split(separator: " ").map(String.init))
        }
    }

    @Test(arguments: ["hub init --hub postgres://u:p@h/d", "hub status --hub host=h\u{A0}password=p"])
    func theCommandRefusesAPasswordInItsArguments(line: String) {
        let error = #expect(throws: UsageError.self) {
            try CommandLineInterface.parse(
                line.split(separator: " ").map { $0.split(separator: "\u{A0}").joined(separator: " ") })
        }
        #expect(error?.message.contains("contains a password") == true && error?.message.contains("u:p") == false)
    }

    @Test func serveRefusesAPasswordInItsArguments() {
        #expect(throws: UsageError.self) { try ServeSettings.written(in: ["--hub", "postgres://u:p@h/d"]) }
        #expect(throws: Never.self) { try ServeSettings.written(in: ["--hub", "postgres://u@h/d"]) }
    }
}
