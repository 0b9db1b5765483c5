import Testing

@testable import Tracing

@Suite struct CollectorFieldsTests {
    private func lines(_ text: String) throws -> [String] { try CollectorFields(Array(text.utf8)).lines }

    @Test func eachLineIsAField() throws {
        let text = "# Example\r\nAuthorization:  Bearer a:b=c \r\n\n x-team: \tcore team\t\n"
        #expect(try lines(text) == ["Authorization: Bearer a:b=c", "x-team: core team"])
        #expect(try lines("").isEmpty)
    }

    @Test(arguments: [
        "secret", ": secret", "a b: secret", "x: ", "x:", "Host: secret", "content-TYPE: secret", "x: sécret",
        "x: secret\u{1}", "x\u{e9}: secret",
    ])
    func aWrongLineIsAnErrorWithItsNumberAndWithoutItsValue(line: String) {
        let error = #expect(throws: CollectorFields.Fault.self) { try lines("a: b\n\(line)\n") }
        #expect(error?.line == 2 && error?.description.contains("secret") == false)
        #expect(error?.description.contains("sécret") == false)
    }

    @Test func theFileIsLimited() throws {
        #expect(throws: CollectorFields.Fault.self) { try lines(String(repeating: "#", count: (8 << 10) + 1)) }
        #expect(try lines(String(repeating: "a: b\n", count: 32)).count == 32)
        #expect(throws: CollectorFields.Fault.self) { try lines(String(repeating: "a: b\n", count: 33)) }
    }
}

@Suite struct SpanQueueEndTests {
    @Test func anEndingQueueSendsAtOnceDespiteAPause() {
        var queue = SpanQueue()
        #expect(queue.isEmpty)
        queue.add([[1]])
        #expect(queue.next(at: 0) == [[1]] && !queue.isEmpty)
        queue.finished(.unavailable, at: 0)
        #expect(queue.next(at: 1) == nil)
        queue.endPause()
        #expect(queue.next(at: 1) == [[1]])
        queue.finished(.delivered, at: 2)
        #expect(queue.isEmpty)
    }
}
