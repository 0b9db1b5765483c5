import Testing
import Tinyvex

@Suite struct SubscribeRequestTests {
    private func subscribe(_ params: String) throws -> SubscribeRequest? {
        guard case .subscribe(let request) = try decode("tinyvex/subscribe", params) else { return nil }
        return request
    }

    @Test(arguments: [
        (#"{"sessionId":"s1"}"#, SessionReference(sessionId: "s1")),
        (#"{"session_id":"s1"}"#, SessionReference(sessionId: "s1")),
        (#"{"sessionId":"s1","session_id":"s2"}"#, SessionReference(sessionId: "s1")),
        (#"{"sessionId":"s1","agent":"codex"}"#, SessionReference(sessionId: "s1", agent: "codex")),
        (#"{"sessionId":"s1","journal":"9f03c2aa-1-1"}"#, SessionReference(sessionId: "s1", journal: "9f03c2aa-1-1")),
        (#"{"sessionId":"s1","agent":null,"other":{}}"#, SessionReference(sessionId: "s1")),
    ])
    func aSubscriptionIdentifiesItsSession(params: String, reference: SessionReference) throws {
        let updates = try subscribe(#"{"subId":"a","name":"acp:sessionUpdates","params":\#(params)}"#)
        guard case .sessionUpdates(reference) = updates?.target else {
            Issue.record("\(String(describing: updates?.target))")
            return
        }
        let timeline = try subscribe(#"{"subId":"a","name":"sessions:timeline","params":\#(params)}"#)
        guard case .timeline(reference) = timeline?.target else {
            Issue.record("\(String(describing: timeline?.target))")
            return
        }
    }

    @Test(arguments: QueryName.allCases)
    func aSubscriptionNamesItsQuery(name: QueryName) throws {
        let request = try subscribe(#"{"subId":"a","name":"\#(name.rawValue)","params":{"unknown":true}}"#)
        guard case .query(let asked, let params) = request?.target else {
            Issue.record("not a query")
            return
        }
        #expect(asked == name.rawValue)
        #expect(try params.optionalBool("unknown") == true)
    }

    @Test(arguments: ["sessions:lost", "acp:sessionupdates", ""])
    func unknownNamesAreRejected(name: String) {
        let rejection = rejection(of: "tinyvex/subscribe", #"{"subId":"a","name":"\#(name)"}"#)
        #expect(rejection?.code == .subscriptionRejected)
        #expect(
            rejection?.message.hasPrefix(#"unknown subscription "\#(name)"; available: acp:sessionUpdates, "#) == true)
        #expect(QueryName.allCases.allSatisfy { rejection?.message.contains($0.rawValue) == true })
        #expect(rejection?.subId == "a")
    }

    @Test(arguments: [
        (#""lastSeq":0"#, 0, nil), (#""lastSeq":9223372036854775807"#, Int64.max, nil), (#""lastSeq":null"#, nil, nil),
        (#""journal":"9f03c2aa-1-1","lastSeq":4"#, 4, "9f03c2aa-1-1"), (#""policy":"lossless""#, nil, nil),
    ])
    func theClientsPositionIsOptional(members: String, lastSeq: Int64?, journal: String?) throws {
        let request = try subscribe(#"{"subId":"a","name":"bridge:status",\#(members)}"#)
        #expect(request?.lastSeq == lastSeq)
        #expect(request?.journal == journal)
        #expect(request?.policy == PolicyTerms(.lossless))
    }

    @Test(arguments: [
        (#""name":"acp:sessionUpdates""#, "sessionId is missing"),
        (#""name":"acp:sessionUpdates","params":{"sessionId":7}"#, "sessionId must be a string"),
        (#""name":"acp:sessionUpdates","params":{"session_id":7}"#, "session_id must be a string"),
        (#""name":"sessions:timeline","params":{"sessionId":"s1","agent":7}"#, "agent must be a string"),
        (#""name":"sessions:timeline","params":{"sessionId":"s1","journal":7}"#, "journal must be a string"),
        (#""name":"acp:sessionUpdates","params":[]"#, "params must be an object"),
        (#""params":{}"#, "name is missing"),
        (#""name":"bridge:status","lastSeq":-1"#, "lastSeq must be an integer from 0 to 9223372036854775807"),
        (#""name":"bridge:status","lastSeq":"1""#, "lastSeq must be an integer from 0 to 9223372036854775807"),
        (#""name":"bridge:status","journal":7"#, "journal must be a string"),
        (#""name":"bridge:status","policy":7"#, "policy must be a string or an object"),
        (#""name":"bridge:status","policy":{}"#, "name is missing"),
        (
            #""name":"bridge:status","policy":{"name":"latest","maxBytes":-1}"#,
            "maxBytes must be an integer from 0 to 9223372036854775807"
        ),
    ])
    func errorsOfBadParamsNameTheFieldAndTheSubscription(members: String, message: String) {
        let rejection = rejection(of: "tinyvex/subscribe", #"{"subId":"a",\#(members)}"#)
        #expect(rejection?.rpcCode == .invalidParams)
        #expect(rejection?.code == nil)
        #expect(rejection?.message == message)
        #expect(rejection?.subId == "a")
    }

    @Test(arguments: Policy.allCases)
    func aPolicyIsANameOrAnObjectWithBounds(policy: Policy) throws {
        func terms(_ policy: String) throws -> PolicyTerms? {
            try subscribe(#"{"subId":"a","name":"bridge:status","policy":\#(policy)}"#)?.policy
        }
        var expected = PolicyTerms(policy)
        #expect(try terms(#""\#(policy.rawValue)""#) == expected)
        #expect(try terms(#"{"name":"\#(policy.rawValue)","maxFrames":null,"more":1}"#) == expected)
        expected.maxFrames = 0
        expected.maxAgeMilliseconds = 70
        #expect(try terms(#"{"name":"\#(policy.rawValue)","maxFrames":0,"maxAgeMs":70}"#) == expected)
        expected.maxBytes = 9
        #expect(try terms(#"{"maxFrames":0,"maxBytes":9,"maxAgeMs":70,"name":"\#(policy.rawValue)"}"#) == expected)
    }

    @Test(arguments: ["newest", "Lossless", ""])
    func unknownPoliciesAreRejected(policy: String) {
        let rejection = rejection(
            of: "tinyvex/subscribe", #"{"subId":"a","name":"bridge:status","policy":"\#(policy)"}"#)
        #expect(rejection?.code == .subscriptionRejected)
        #expect(
            rejection?.message == #"unknown policy "\#(policy)"; this bridge serves: lossless, latest, thoughts, merge"#
        )
        #expect(rejection?.subId == "a")
    }

    @Test func theLimitOfASubIdIsInBytes() throws {
        func params(_ subId: String) -> String { #"{"subId":"\#(subId)","name":"bridge:status"}"# }
        let longest = String(repeating: "é", count: 128)
        #expect(try subscribe(params(longest))?.subId == longest)
        let rejection = rejection(of: "tinyvex/subscribe", params(longest + "x"))
        #expect(rejection?.message == "subId is longer than 256 bytes")
        #expect(rejection?.subId == nil)
    }
}
