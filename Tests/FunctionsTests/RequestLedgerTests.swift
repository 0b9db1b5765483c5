import Testing
import Tinyvex

@testable import EventLoop
@testable import Functions
@testable import Posix

@Suite struct RequestLedgerTests {
    var ledger = RequestLedger()
    let call = RequestLedger.Call(name: "sessions:archive", arguments: Array("{}".utf8))

    private func key(_ requestId: String, who: String = "uid 1", tenant: String? = nil) -> RequestLedger.Key {
        RequestLedger.Key(who: who, tenant: tenant, requestId: requestId)
    }

    private func at(seconds: Int64) -> Instant { Instant(nanoseconds: seconds * 1_000_000_000) }

    private mutating func begin(
        _ key: RequestLedger.Key, _ call: RequestLedger.Call? = nil, at seconds: Int64 = 0
    ) -> String {
        switch ledger.begin(key, call ?? self.call, at: at(seconds: seconds)) {
        case .run: "run"
        case .wait: "wait"
        case .mismatch: "mismatch"
        case .repeated(.success(let bytes)): String(decoding: bytes, as: UTF8.self)
        case .repeated(.failure(let rejection)): rejection.message
        }
    }

    private mutating func finish(_ key: RequestLedger.Key, _ text: String = "1", at seconds: Int64 = 0) {
        ledger.finish(key, .success(Array(text.utf8)), at: at(seconds: seconds))
    }

    @Test mutating func aRepeatedCallReceivesTheFirstOutcome() {
        #expect(begin(key("a")) == "run")
        #expect(begin(key("a")) == "wait")
        finish(key("a"), #"{"x":1}"#)
        #expect(begin(key("a")) == #"{"x":1}"#)
        #expect(begin(key("b")) == "run")
    }

    @Test mutating func aRepeatedCallReceivesTheRefusal() {
        #expect(begin(key("a")) == "run")
        ledger.finish(key("a"), .failure(Rejection(.mutationFailed, "it is live")), at: at(seconds: 0))
        #expect(begin(key("a")) == "it is live")
    }

    @Test mutating func aCallThatFailedInternallyRunsAgain() {
        #expect(begin(key("a")) == "run")
        let failure = Rejection(.mutationFailed, "the disk is full", rpcCode: .internalError)
        ledger.finish(key("a"), .failure(failure), at: at(seconds: 0))
        #expect(begin(key("a")) == "run")
        #expect(ledger.count == 1)
    }

    @Test mutating func aDifferentCallWithTheSameIdIsRefused() {
        #expect(begin(key("a")) == "run")
        #expect(begin(key("a"), .init(name: "sessions:delete", arguments: call.arguments)) == "mismatch")
        finish(key("a"))
        #expect(begin(key("a"), .init(name: call.name, arguments: Array(#"{"x":1}"#.utf8))) == "mismatch")
    }

    @Test mutating func differentUsersCanUseTheSameIds() {
        #expect(begin(key("a")) == "run")
        #expect(begin(key("a", who: "uid 2")) == "run")
        #expect(begin(key("a", tenant: "acme")) == "run")
    }

    @Test mutating func anOutcomeIsForgottenAfter15Minutes() {
        _ = begin(key("a"))
        finish(key("a"), at: 10)
        #expect(begin(key("a"), at: 10 + 15 * 60 - 1) == "1")
        #expect(begin(key("a"), at: 10 + 15 * 60) == "run")
    }

    @Test mutating func theNumberOfOutcomesIsLimited() {
        for number in 0...RequestLedger.countLimit {
            _ = begin(key("\(number)"))
            finish(key("\(number)"))
        }
        #expect(ledger.count == RequestLedger.countLimit)
        #expect(begin(key("0")) == "run")
        #expect(begin(key("1")) == "1")
    }

    @Test mutating func theBytesOfOutcomesAreLimitedAndRunningCallsAreKept() {
        _ = begin(key("running"))
        let large = String(repeating: "x", count: 1 << 20)
        for number in 0..<10 {
            _ = begin(key("\(number)"))
            finish(key("\(number)"), large)
            #expect(ledger.byteCount <= RequestLedger.limitBytes)
        }
        #expect(begin(key("6")) == "run")
        #expect(begin(key("9")) == large)
        #expect(begin(key("running")) == "wait")
    }
}
