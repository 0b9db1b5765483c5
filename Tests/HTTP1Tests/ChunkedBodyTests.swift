import Testing

@testable import HTTP1

@Suite struct ChunkedBodyTests {
    private static func request(_ body: String, method: String = "POST", version: String = "1.1") -> String {
        "\(method) / HTTP/\(version)\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n\(body)"
    }

    private static let next = "GET /next HTTP/1.1\r\nHost: a\r\n\r\n"

    @Test(arguments: [
        ("0\r\n\r\n", ""), ("3\r\nabc\r\n0\r\n\r\n", "abc"), ("1\r\na\r\nA\r\n0123456789\r\n00\r\n\r\n", "a0123456789"),
        ("2;x\r\nab\r\n0 ;y=\"z\"\r\n\r\n", "ab"), ("4\r\n\r\n\r\n\r\n0\r\n\r\n", "\r\n\r\n"),
        ("1\r\na\r\n0\r\nExpires: never\r\nX:\r\n\r\n", "a"), ("0000000000000001\r\na\r\n0\r\n\r\n", "a"),
    ])
    func aBodyInChunksIsReadAtEverySplit(chunks: String, body: String) {
        let bytes = Array((Self.request(chunks) + Self.next).utf8)
        for pieces in bytes.cutInTwo + [bytes.singleBytes] {
            let transcript = Transcript.reading(pieces)
            #expect(transcript.refusal == nil)
            #expect(transcript.requests.map(\.body) == [Array(body.utf8), []])
            #expect(transcript.requests.last?.head.path == "/next")
        }
    }

    @Test(arguments: [
        "\r\n", "g\r\n", "-1\r\n", "+1\r\n", "0x1\r\n", " 1\r\n", "1 \r\n", "1 1\r\n", "1\n", "1,1\r\n",
        "00000000000000001\r\n",
        "1;\u{7F}\r\n", "1;é\r\n", "1\r\nab\r\n", "1\r\na\n", "1\r\na1\r\n", "0\r\nno field\r\n", "0\r\n folded\r\n",
        "0\r\nX : a\r\n", "1\r;\r\n",
    ])
    func aMalformedChunkIsRefused(chunks: String) {
        #expect(Transcript.refusedStatus(Self.request(chunks) + Self.next) == 400)
    }

    @Test func theWholeBodyIsLimited() {
        let full = "3e8\r\n" + String(repeating: "a", count: 1000) + "\r\n"
        #expect(Transcript.reading([Array(Self.request(full + "0\r\n\r\n").utf8)]).requests.count == 1)
        #expect(Transcript.refusedStatus(Self.request(full + "1\r\n")) == 413)
        #expect(Transcript.refusedStatus(Self.request("3e9\r\n")) == 413)
        #expect(Transcript.refusedStatus(Self.request("ffffffffffffffff\r\n")) == 413)
    }

    @Test func extensionsAndTrailersAreLimitedTogether() {
        let some = "1;" + String(repeating: "x", count: 1500) + "\r\na\r\n"
        #expect(Transcript.refusedStatus(Self.request(some + some)) == nil)
        #expect(Transcript.refusedStatus(Self.request(some + some + some)) == 400)
        #expect(Transcript.refusedStatus(Self.request("1;" + String(repeating: "x", count: 5000))) == 400)
        let field = "X: " + String(repeating: "x", count: 1500) + "\r\n"
        #expect(Transcript.refusedStatus(Self.request("0\r\n" + field + field)) == nil)
        #expect(Transcript.refusedStatus(Self.request("0\r\n" + field + field + field)) == 431)
    }

    @Test func chunksBelongToMethodsWithABodyAndToHTTP11() {
        #expect(Transcript.refusedStatus(Self.request("0\r\n\r\n", method: "GET")) == 413)
        #expect(Transcript.refusedStatus(Self.request("0\r\n\r\n", version: "1.0")) == 400)
    }

    @Test func aLargeBodyInChunksIsTakenInParts() throws {
        var parser = RequestParser(bodyLimitBytes: 6)
        parser.append(Array(Self.request("4\r\nab").utf8).span)
        #expect(try parser.next() == nil)
        #expect(parser.takeBodyPart() == Array("ab".utf8))
        parser.append(Array("cd\r\n2\r\nef\r\n0\r\n\r\n".utf8).span)
        #expect(try parser.next()?.body == Array("cdef".utf8))
    }
}
