import Postgres
import Testing

@Suite struct PostgresValueTests {
    @Test func integersAreBigEndian() {
        #expect(PostgresValue.integer(258).encoded == [0, 0, 0, 0, 0, 0, 1, 2])
        #expect(PostgresValue.integer(-1).encoded == [UInt8](repeating: 255, count: 8))
        #expect(PostgresValue.integer(nil).encoded == nil)
    }

    @Test func textLosesZeroBytes() {
        #expect(PostgresValue.text("a\0b").encoded == Array("ab".utf8))
    }

    @Test func anArrayHasItsTypeAndTheLengthOfEachElement() {
        let expected: [UInt8] =
            [0, 0, 0, 1] + [0, 0, 0, 1] + [0, 0, 0, 17] + [0, 0, 0, 2] + [0, 0, 0, 1]
            + [0, 0, 0, 2, 7, 8] + [255, 255, 255, 255]
        #expect(PostgresValue.byteArrays([[7, 8], nil]).encoded == expected)
    }

    @Test func anEmptyArrayHasNoDimension() {
        #expect(PostgresValue.integers([]).encoded == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 20])
    }
}

@Suite struct PostgresErrorTests {
    @Test func aLostConnectionEndsIt() {
        #expect(PostgresError.disconnected(reason: "").endsConnection && PostgresError.timedOut.endsConnection)
        #expect(!PostgresError.refused(sqlState: "23505", message: "").endsConnection)
    }

    @Test func errorsOfConstraintsAndOfMissingTablesAreTold() {
        #expect(PostgresError.refused(sqlState: "23505", message: "").isUniqueViolation)
        #expect(PostgresError.refused(sqlState: "42P01", message: "").isMissingObject)
        #expect(!PostgresError.timedOut.isMissingObject)
    }
}

/// These need libpq, which the machine can lack.
@Suite(.enabled(if: hasLibrary)) struct PostgresAddressTests {
    @Test func noDescriptionContainsThePassword() throws {
        let address = try PostgresAddress("postgres://me:geheim@db.example:5433/fleet")
        #expect(address.place == "db.example:5433/fleet")
        var dumped = ""
        dump(address, to: &dumped)
        #expect(!"\(address) \(String(reflecting: address)) \(dumped)".contains("geheim"))
    }

    @Test func anInvalidAddressIsRefusedWithoutBeingRepeated() {
        let error = #expect(throws: PostgresError.self) { try PostgresAddress("postgres://me:geheim@h/d?nothing=1") }
        #expect(error == .invalidAddress && error.map { !"\($0)".contains("geheim") } == true)
    }

    @Test func aClosedPortIsReportedWithoutThePassword() throws {
        // Nothing listens on port 1, and connections to it are refused at once.
        let address = try PostgresAddress("postgres://me:geheim@127.0.0.1:1/fleet?sslmode=disable")
        let error = #expect(throws: PostgresError.self) { try PostgresConnection(address, within: .seconds(10)) }
        guard case .unreachable(let reason)? = error else { return #expect(Bool(false)) }
        #expect(!reason.contains("geheim") && reason.contains("127.0.0.1"))
    }
}

private let hasLibrary: Bool = {
    do throws(PostgresError) {
        _ = try PostgresAddress("postgres://localhost/")
        return true
    } catch {
        return false
    }
}()
