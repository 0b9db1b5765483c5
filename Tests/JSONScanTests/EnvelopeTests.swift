import JSONScan
import Testing

@Suite struct EnvelopeTests {
    static let update = #"""
        {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":\#
        "agent_message_chunk","messageId":"m1","content":{"type":"text","text":"hi"}}}}
        """#

    private func text(_ line: String, _ member: KeyPath<Envelope, Range<Int>?>) throws -> String? {
        let bytes = Array(line.utf8)
        return try scanEnvelope(bytes.span)[keyPath: member].map { String(decoding: bytes[$0], as: UTF8.self) }
    }

    private func isUpdate(_ line: String) throws -> Bool {
        let bytes = Array(line.utf8)
        return try scanEnvelope(bytes.span).isSessionUpdate(in: bytes.span)
    }

    @Test(
        arguments: [
            (\Envelope.method, #""session/update""#), (\.id, nil), (\.sessionId, #""s1""#),
            (\.updateKind, #""agent_message_chunk""#), (\.messageId, #""m1""#),
        ] as [(KeyPath<Envelope, Range<Int>?> & Sendable, String?)])
    func rangesCoverTheValuesAsWritten(member: KeyPath<Envelope, Range<Int>?> & Sendable, expected: String?) throws {
        #expect(try text(Self.update, member) == expected)
    }

    @Test func rangesCoverWholeContainers() throws {
        let line =
            #" { "params" : { "update" : { } , "x" : [ 1 ] } , "error" : {"code":1} , "result" : null , "id" : -1e3 } "#
        #expect(try text(line, \.params) == #"{ "update" : { } , "x" : [ 1 ] }"#)
        #expect(try text(line, \.update) == "{ }")
        #expect(try text(line, \.error) == #"{"code":1}"#)
        #expect(try text(line, \.result) == "null")
        #expect(try text(line, \.id) == "-1e3")
        #expect(try text(line, \.method) == nil)
    }

    @Test func membersAreFoundOnlyAtTheirOwnLevel() throws {
        let line = #"""
            {"a":{"method":1,"params":{"sessionId":1}},"params":{"method":2,"a":{"sessionId":3,"update":{}},\#
            "update":{"sessionId":4,"a":[{"sessionUpdate":5}],"update":{"messageId":6}}},"sessionId":7}
            """#
        for member in [\Envelope.method, \.sessionId, \.updateKind, \.messageId] {
            #expect(try text(line, member) == nil)
        }
    }

    @Test(arguments: ["[]", #"[{"method":"session/update","params":{"sessionId":"s"}}]"#, "1", #""method""#, "null"])
    func noRangeIsSetWithoutAnObject(line: String) throws {
        let envelope = try scanEnvelope(Array(line.utf8).span)
        #expect(envelope.shape == (line.hasPrefix("[") ? .array : .scalar))
        #expect(EnvelopeSummary(envelope).ranges.isEmpty)
        #expect(try !isUpdate(line))
    }

    @Test(arguments: [
        #"{"method":"session\/update","params":{"sessionId":"s"}}"#,
        #"{"\u006dethod":"session/update","params":{"sessionId":"s"}}"#,
        #"{"method":"\u0073ession/updat\u0065","par\u0061ms":{"sessionI\u0064":"s"}}"#,
        #"{"\u006d\u0065\u0074\u0068\u006f\u0064":"session/update","params":{"sessionId":""}}"#,
        #"{"params":{"sessionId":"s","update":7},"method":"session/update"}"#,
    ])
    func escapedNamesAndValuesAreMatchedDecoded(line: String) throws {
        #expect(try isUpdate(line))
    }

    @Test(arguments: [
        #"{"method":"session/updates","params":{"sessionId":"s"}}"#,
        #"{"method":"session/update\u0000","params":{"sessionId":"s"}}"#,
        #"{"method":"session\\/update","params":{"sessionId":"s"}}"#,
        #"{"method\u0000":"session/update","params":{"sessionId":"s"}}"#,
        #"{"Method":"session/update","params":{"sessionId":"s"}}"#,
        #"{"method":["session/update"],"params":{"sessionId":"s"}}"#,
        #"{"method":"session/update","params":{"sessionId":1}}"#,
        #"{"method":"session/update","params":{"sessionId":null}}"#,
        #"{"method":"session/update","params":[{"sessionId":"s"}]}"#,
        #"{"method":"session/update","sessionId":"s"}"#, #"{"method":"","params":{"sessionId":"s"}}"#,
    ])
    func otherLinesAreNotSessionUpdates(line: String) throws {
        #expect(try !isUpdate(line))
    }

    @Test(arguments: [
        #"{"method":"session/update","method":"session/update","params":{"sessionId":"s"}}"#,
        #"{"method":"session/update","params":{"sessionId":"s"},"\u006dethod":"x"}"#,
        #"{"method":"session/update","params":{"sessionId":"s"},"params":{}}"#,
        #"{"method":"session/update","params":{"sessionId":"s","session\u0049d":"t"}}"#,
        #"{"method":"session/update","params":{"sessionId":"s","update":{},"update":1}}"#,
        #"{"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"a","sessionUpdate":"a"}}}"#,
        #"{"method":"session/update","params":{"update":{"sessionUpdate":1,"sessionUpdate":2}},"x":1}"#,
    ])
    func aRepeatedRoutingNameMakesTheLineAmbiguous(line: String) throws {
        #expect(try scanEnvelope(Array(line.utf8).span).isAmbiguous)
        #expect(try !isUpdate(line))
    }

    @Test(arguments: [
        update, #"{"id":1,"id":2,"result":1,"result":2,"x":1,"x":2}"#, #"{"a":{"method":1,"method":2},"method":3}"#,
        #"{"params":{"update":{"messageId":"a","messageId":"b","update":{},"params":{}}},"update":{}}"#,
    ])
    func otherRepeatedNamesDoNotMakeTheLineAmbiguous(line: String) throws {
        #expect(try !scanEnvelope(Array(line.utf8).span).isAmbiguous)
    }

    @Test func theLastMemberOfARepeatedNameReplacesTheFirst() throws {
        let line =
            #"{"params":{"sessionId":"a","update":{"sessionUpdate":"x"}},"params":{"update":2},"id":1,"id":2}"#
        #expect(try text(line, \.params) == #"{"update":2}"#)
        #expect(try text(line, \.update) == "2")
        #expect(try text(line, \.sessionId) == nil)
        #expect(try text(line, \.updateKind) == nil)
        #expect(try text(line, \.id) == "2")
    }

    @Test func stringsAreDecodedOnRequest() throws {
        let bytes = Array(#"{"id":7,"params":{"sessionId":"a\n\u00e9\ud83d\ude00\ud800\/"}}"#.utf8)
        let envelope = try scanEnvelope(bytes.span)
        #expect(envelope.string(in: bytes.span, at: envelope.sessionId) == "a\né😀\u{fffd}/")
        #expect(envelope.string(in: bytes.span, at: envelope.id) == nil)
        #expect(envelope.string(in: bytes.span, at: envelope.method) == nil)
    }

    @Test func aBufferIsReadLikeASpan() throws {
        let bytes = Array(Self.update.utf8)
        try bytes.withUnsafeBytes { buffer in
            let envelope = try scanEnvelope(buffer)
            #expect(EnvelopeSummary(envelope) == EnvelopeSummary(try scanEnvelope(bytes.span)))
            #expect(envelope.isSessionUpdate(in: buffer))
            #expect(envelope.string(in: buffer, at: envelope.sessionId) == "s1")
        }
        #expect(throws: JSONSyntaxError.self) { try scanEnvelope(UnsafeRawBufferPointer(start: nil, count: 0)) }
    }

    @Test func recordedLinesMatchTheReference() throws {
        let lines = try RecordedLines.load()
        #expect(lines.count > 30)
        for line in lines {
            let expected = EnvelopeSummary(reference: try ReferenceJSON(line))
            #expect(EnvelopeSummary(try scanEnvelope(line.span)) == expected)
        }
    }
}
