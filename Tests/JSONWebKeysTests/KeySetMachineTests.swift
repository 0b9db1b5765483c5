import Posix
import Testing

@testable import JSONWebKeys

@Suite struct KeySetMachineTests {
    private static let a = JSONWebKey(id: "a", algorithm: .es256, pem: [1])
    private static let b = JSONWebKey(id: "b", algorithm: .es256, pem: [2])

    /// A machine with times in seconds. A class, because `#expect` takes no mutating call.
    private final class Script {
        private var machine = KeySetMachine(at: Script.at(0))

        var keys: [JSONWebKey] { machine.keys }
        var fault: String? { machine.fault }
        var isFetching: Bool { machine.isFetching && machine.due == nil }

        private static func at(_ seconds: Int64) -> Instant { Instant(nanoseconds: seconds * 1_000_000_000) }

        func begins(_ seconds: Int64) -> Bool { machine.begins(at: Self.at(seconds)) }
        func notedUnknownKey(_ seconds: Int64) { machine.notedUnknownKey(at: Self.at(seconds)) }
        func finished(_ outcome: KeySetMachine.Outcome, _ seconds: Int64) {
            machine.finished(outcome, at: Self.at(seconds))
        }
    }

    /// A machine whose first request, at 0 s, has succeeded.
    private func machine(_ keys: [JSONWebKey] = [a], maxAge: Duration? = nil) -> Script {
        let machine = Script()
        #expect(machine.begins(0) && machine.isFetching)
        machine.finished(.fetched(keys, maxAge: maxAge), 0)
        return machine
    }

    @Test func oneRequestIsUnderWayAtATime() {
        let machine = Script()
        #expect(machine.begins(0))
        #expect(!machine.begins(9))
        machine.notedUnknownKey(9)
        #expect(!machine.begins(9) && machine.isFetching)
    }

    @Test(arguments: [(nil, 3600), (0, 60), (61, 61), (10_000_000, 86_400)] as [(Int64?, Int64)])
    func theSetIsFetchedAgainAtItsAge(maxAge: Int64?, seconds: Int64) {
        let machine = machine(maxAge: maxAge.map { .seconds($0) })
        #expect(!machine.begins(seconds - 1))
        #expect(machine.begins(seconds))
    }

    @Test func anUnknownKeyCausesARequestOncePerMinute() {
        let machine = machine()
        machine.notedUnknownKey(1)
        #expect(machine.begins(1))
        machine.finished(.fetched([Self.a], maxAge: nil), 2)
        machine.notedUnknownKey(60)
        #expect(!machine.begins(60), "a minute has not passed since 1 s")
        machine.notedUnknownKey(61)
        #expect(machine.begins(61))
    }

    @Test func aKeyRemainsUntilTheIssuerRemovesIt() {
        let machine = machine([Self.a], maxAge: .seconds(60))
        for (second, keys) in [(60, [Self.a, Self.b]), (120, [Self.b]), (180, [])] as [(Int64, [JSONWebKey])] {
            #expect(machine.begins(second))
            machine.finished(.fetched(keys, maxAge: .seconds(60)), second)
            #expect(machine.keys == keys)
        }
        #expect(machine.fault != nil, "a set without keys is reported")
    }

    @Test func aFailureKeepsTheKeysAndIsRepeatedWithGrowingPauses() {
        let machine = machine([Self.a], maxAge: .seconds(60))
        var now: Int64 = 60
        for pause: Int64 in [5, 10, 20, 40, 80, 160, 300, 300] {
            #expect(machine.begins(now))
            machine.finished(.failed("down"), now)
            #expect(machine.keys == [Self.a] && machine.fault == "down")
            #expect(!machine.begins(now + pause - 1))
            now += pause
        }
        #expect(machine.begins(now))
        machine.finished(.fetched([Self.b], maxAge: nil), now)
        #expect(machine.keys == [Self.b] && machine.fault == nil)
    }

    @Test(arguments: [
        (0, "", "", "no route"), (404, "{}", "", "the issuer answered 404"), (301, "", "", "the issuer answered 301"),
        (200, "<html>", "", JSONWebKeySet.Fault.notASet.description),
    ])
    func anAnswerWithoutASetIsAFailure(status: Int, body: String, cacheControl: String, reason: String) {
        let outcome = KeySetMachine.Outcome(
            status: status, failure: "no route", body: Array(body.utf8), cacheControl: cacheControl)
        #expect(outcome == .failed(reason))
    }

    @Test(
        arguments: [
            ("", nil), ("public", nil), ("max-age=60", 60), (" Public , Max-Age=\"300\" \r\n", 300),
            ("max-age=5, no-cache", 0), ("no-store", 0), ("max-age=soon", 0), ("max-age", 0), ("max-age=-1", 0),
            ("max-age=99999999999999999999", 31_536_000), ("s-maxage=5", nil),
        ] as [(String, Int64?)])
    func theAgeIsReadFromTheField(field: String, seconds: Int64?) {
        #expect(CacheAge.maxAge(in: field) == seconds.map { .seconds($0) })
    }
}
