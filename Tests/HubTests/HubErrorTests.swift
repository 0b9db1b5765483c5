import Hub
import Postgres
import Testing

@Suite struct HubErrorTests {
    private static let full = PostgresError.refused(sqlState: "53100", message: "could not extend file \"a\"")

    @Test func anOutageHasSeveralReasons() {
        let lost = HubError.postgres(.disconnected(reason: "closed"))
        #expect(lost.isSameOutage(as: .postgres(.unreachable(reason: "refused"))))
        #expect(lost.isSameOutage(as: .postgres(.timedOut)))
        #expect(!lost.isSameOutage(as: .schemaMissing))
        #expect(!lost.isSameOutage(as: .postgres(Self.full)))
    }

    @Test func aRefusalIsKnownByItsState() {
        let other = PostgresError.refused(sqlState: "53100", message: "could not extend file \"b\"")
        #expect(HubError.postgres(Self.full).isSameOutage(as: .postgres(other)))
        let readOnly = PostgresError.refused(sqlState: "25006", message: "cannot execute INSERT")
        #expect(!HubError.postgres(Self.full).isSameOutage(as: .postgres(readOnly)))
        #expect(HubError.leaseHeld.isSameOutage(as: .leaseHeld))
    }

    @Test func aRefusedPasswordNamesThePlacesOfThePassword() {
        let refused = HubError.postgres(.unreachable(reason: "FATAL:  password authentication failed for user"))
        #expect(refused.description.contains("~/.pgpass"))
        #expect(!HubError.postgres(.unreachable(reason: "Connection refused")).description.contains("pgpass"))
    }
}
