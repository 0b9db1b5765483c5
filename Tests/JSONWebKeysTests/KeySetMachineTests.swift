import Posix
import Testing

@testable import JSONWebKeys

@Suite struct KeySetMachineTests {
    private static let a = JSONWebKey(id: "a", algorithm: .es256, pem: [1])
    private static let b = JSONWebKey(id: "b", algorithm: .es256, pem: [2])

    private func at(_ seconds: Int64) -> Instant { Instant(nanoseconds: seconds * 1_000_000_000) }

    /// A machine whose first request, at 0 s, has succeeded.
    private func machine(_ keys: [JSONWebKey] = [a], maxAge: Duration? = nil) -> KeySetMachine {
        var machine = KeySetMachine(at: at(0))
        #expect(machine.begins(at: at(0)) && machine.isFetching && machine.due == nil)
        machine.finished(.fetched(keys, maxAge: maxAge), at: at(0))
        return machine
    }

    @Test func oneRequestIsUnderWayAtATime() {
        var machine = KeySetMachine(at: at(0))
        #expect(machine.begins(at: at(0)))
        #expect(!machine.begins(at: at(9)))
        machine.notedUnknownKey(at: at(9))
        #expect(!machine.begins(at: at(9)) && machine.isFetching)
    }

    @Test(arguments: [(nil, 3600), (0, 60), (61, 61), (10_000_000, 86_400)] as [(Int64?, Int64)])
    func theSetIsFetchedAgainAtItsAge(maxAge: Int64?, seconds: Int64) {
        var machine = machine(maxAge: maxAge.map { .seconds($0) })
        #expect(!machine.begins(at: at(seconds - 1)))
        #expect(machine.begins(at: at(seconds)))
    }

    @Test func anUnknownKeyCausesARequestOncePerMinute() {
        var machine = machine()
        machine.notedUnknownKey(at: at(1))
        #expect(machine.begins(at: at(1)))
        machine.finished(.fetched([Self.a], maxAge: nil), at: at(2))
        machine.notedUnknownKey(at: at(60))
        #expect(!machine.begins(at: at(60)), "a minute has not passed since 1 s")
        machine.notedUnknownKey(at: at(61))
        #expect(machine.begins(at: at(61)))
    }

    @Test func aKeyRemainsUntilTheIssuerRemovesIt() {
        var machine = machine([Self.a], maxAge: .seconds(60))
        for (second, keys) in [(60, [Self.a, Self.b]), (120, [Self.b]), (180, [])] as [(Int64, [JSONWebKey])] {
            #expect(machine.begins(at: at(second)))
            machine.finished(.fetched(keys, maxAge: .seconds(60)), at: at(second))
            #expect(machine.keys == keys)
        }
        #expect(machine.fault != nil, "a set without keys is reported")
    }

    @Test func aFailureKeepsTheKeysAndIsRepeatedWithGrowingPauses() {
        var machine = machine([Self.a], maxAge: .seconds(60))
        var now: Int64 = 60
        for pause: Int64 in [5, 10, 20, 40, 80, 160, 300, 300] {
            #expect(machine.begins(at: at(now)))
            machine.finished(.failed("down"), at: at(now))
            #expect(machine.keys == [Self.a] && machine.fault == "down")
            #expect(!machine.begins(at: at(now + pause - 1)))
            now += pause
        }
        #expect(machine.begins(at: at(now)))
        machine.finished(.fetched([Self.b], maxAge: nil), at: at(now))
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
