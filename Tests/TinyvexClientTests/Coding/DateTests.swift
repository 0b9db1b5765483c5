import Foundation
import Testing

#if TINYVEX_PORTABLE
    @testable import TinyvexClientPortable
#else
    @testable import TinyvexClient
#endif

@Suite struct DateTests {
    /// 2024-01-15T10:30:00Z
    private static let base = 1_705_314_600.0

    struct Form: Sendable {
        let text: String
        let seconds: Double

        init(_ text: String, _ seconds: Double) {
            self.text = text
            self.seconds = seconds
        }
    }

    static let forms: [Form] = [
        Form("2024-01-15T10:30:00Z", base),
        Form("2024-01-15T10:30:00.123Z", base + 0.123),
        Form("2024-01-15T10:30:00.123456Z", base + 0.123_456),
        Form("2024-01-15T10:30:00+02:00", base - 7_200),
        Form("2024-01-15T10:30:00-0530", base + 19_800),
        Form("2024-01-15T10:30:00.5+02", base - 7_199.5),
        Form("2024-01-15T10:30:00", base),
        Form("2024-01-15 10:30", base),
        Form("2024-01-15T10:30:00.123456", base + 0.123_456),
        Form("2024-01-15", base - 37_800),
        Form("1969-12-31T23:59:59Z", -1),
        Form("2016-12-31T23:59:60Z", 1_483_228_799),
    ]

    @Test(arguments: forms)
    func datesAreReadInAllFormsThatServersSend(form: Form) throws {
        let date = try #require(DateText.date(form.text))
        #expect(abs(date.timeIntervalSince1970 - form.seconds) < 1e-6)
    }

    @Test(arguments: [
        "", "yesterday", "2024", "2024-13-01", "2023-02-29", "2024-01-15T", "2024-01-15T25:00:00Z",
        "2024-01-15T10:30:00.Z", "2024-01-15T10:30:00Zx", "2024-01-15T10:30:00+", "２０２４-01-15", "2024-1-5",
        "2024-01-15T10:30:00.1234567890Z",
    ])
    func invalidDatesAreRejected(text: String) { #expect(DateText.date(text) == nil) }

    @Test(arguments: [0, base, 951_782_400, 1_709_164_799, -11_644_473_600, 253_402_300_799] as [Double])
    func datesRoundTripInOneForm(seconds: Double) throws {
        let date = Date(timeIntervalSince1970: seconds)
        let text = try #require(DateText.text(date))
        #expect(text == ISO8601DateFormatter().string(from: date))
        #expect(DateText.date(text) == date)
    }

    @Test(arguments: [253_402_300_800, Double.infinity, .nan, -1e300])
    func datesOutsideFourDigitYearsAreNotWritten(seconds: Double) {
        #expect(DateText.text(Date(timeIntervalSince1970: seconds)) == nil)
    }

    @Test func aNumberIsReadAsMilliseconds() throws {
        let row = try ModelCoding.value([Date].self, from: Array("[1705314600000]".utf8)[...])
        #expect(row == [Date(timeIntervalSince1970: Self.base)])
    }
}
