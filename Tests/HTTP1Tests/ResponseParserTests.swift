import HTTP1
import Testing

@Suite struct ResponseParserTests {
    static func parser(_ text: String) -> ResponseParser {
        var parser = ResponseParser()
        parser.append(Array(text.utf8).span)
        return parser
    }

    @Test func theBytesAfter101AreReturned() throws {
        var parser = Self.parser("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n")
        parser.append([0x81, 0x00].span)
        let response = try parser.next()
        #expect(response?.status == 101)
        #expect(response?.headers.first("upgrade") == "websocket")
        #expect(try parser.next() == nil)
        #expect(parser.takeRemainder() == [0x81, 0x00])
    }

    @Test func interimResponsesAreSkipped() throws {
        var parser = Self.parser(
            "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 100 \r\n\r\nHTTP/1.1 404\r\nContent-Length: 0\r\n\r\n")
        #expect(try parser.next()?.status == 404)
        #expect(try parser.next() == nil)
    }

    @Test func aBodyThatEndsWithTheConnectionIsRead() throws {
        var parser = Self.parser("HTTP/1.0 502 Bad Gateway\r\n\r\nbad")
        #expect(try parser.next() == nil)
        parser.append(Array(" gateway".utf8).span)
        #expect(try parser.next() == nil)
        #expect(parser.connectionEnded()?.body == Array("bad gateway".utf8))
        #expect(parser.connectionEnded() == nil)
    }

    @Test func anEarlyEndOfTheConnectionDeliversNothing() throws {
        for text in ["", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\na"] {
            var parser = Self.parser(text)
            #expect(try parser.next() == nil)
            #expect(parser.connectionEnded() == nil)
        }
    }

    @Test func aResponseWithATransferCodingIsDeliveredWithoutItsBody() throws {
        var parser = Self.parser("HTTP/1.1 403 Forbidden\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nno\r\n0\r\n\r\n")
        let response = try parser.next()
        #expect(response?.status == 403)
        #expect(response?.body == [])
    }

    @Test(arguments: [
        "HTTP/2 200\r\n", "HTTP/1.1 20\r\n", "HTTP/1.1 2000\r\n", "HTTP/1.1 099 x\r\n", "HTTP/1.1\r\n",
        "ICY 200 OK\r\n",
        "HTTP/1.1  200 OK\r\n", "SSH-2.0-OpenSSH_9.2\r\n", "HTTP/1.1 200 OK\n", "HTTP/1.1 200 OK\r\nX : y\r\n",
        "HTTP/1.1 200 OK\r\nX: y\r\n z\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1048577\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
    ])
    func malformedResponsesAreRefused(text: String) throws {
        var parser = Self.parser(text)
        #expect(throws: MalformedResponse.self) { try parser.next() }
        #expect(try parser.next() == nil)
    }

    @Test func headAndBodyAreLimited() throws {
        var head = Self.parser("HTTP/1.1 200 OK\r\nX: \(String(repeating: "a", count: 16384))")
        #expect(throws: MalformedResponse.self) { try head.next() }
        var body = Self.parser("HTTP/1.1 200 OK\r\n\r\n\(String(repeating: "a", count: ResponseParser.bodyLimitBytes))")
        #expect(try body.next() == nil)
        body.append([0x61].span)
        #expect(throws: MalformedResponse.self) { try body.next() }
    }
}
