import JSONScan
import Testing

@testable import TinyvexMachine

@Suite struct StreamPolicyTests {
    private static func text(_ policy: StreamPolicy) -> String {
        String(decoding: JSONWriter.object { policy.write(to: &$0) }, as: UTF8.self)
    }

    @Test func aPolicyWithoutLimitsIsAName() {
        #expect(Self.text(.latest) == #"{"policy":"latest"}"#)
    }

    @Test func aPolicyWithLimitsIsAnObject() {
        let policy = StreamPolicy("merge", maxFrames: 5, maxAge: .milliseconds(1_200))
        #expect(Self.text(policy) == #"{"policy":{"name":"merge","maxFrames":5,"maxAgeMs":1200}}"#)
    }

    @Test func anEndlessAgeIsTheLargestNumber() {
        let policy = StreamPolicy("latest", maxBytes: 1, maxAge: .seconds(Int64.max))
        #expect(Self.text(policy) == #"{"policy":{"name":"latest","maxBytes":1,"maxAgeMs":9223372036854775807}}"#)
    }
}
