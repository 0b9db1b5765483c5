import Testing

@testable import Bridge

@Suite struct ServerCertificateTests {
    @Test(
        arguments: [
            (999, "the certificate in /c.pem is not valid yet; clients will refuse it"), (1_000, nil), (2_000, nil),
            (2_001, "the certificate in /c.pem has expired; clients will refuse it"),
        ] as [(Int64, String?)])
    func aCertificateOutsideItsValidityPeriodCausesAWarning(now: Int64, warning: String?) {
        #expect(ServerCertificate.warning(of: "/c.pem", validity: 1_000...2_000, now: now) == warning)
    }
}
