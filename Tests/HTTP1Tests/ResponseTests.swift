import HTTP1
import Testing

@Suite struct ResponseTests {
    static func text(_ bytes: [UInt8]) -> String {
        String(decoding: bytes, as: UTF8.self)
    }

    @Test func aResponseIsWrittenWithItsLengthAndConnectionClose() {
        let response = Response.text("No such session.", status: 404)
        let expected =
            "HTTP/1.1 404 Not Found\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: 17\r\n"
            + "Connection: close\r\n\r\n"
        #expect(Self.text(response.bytes()) == expected + "No such session.\n")
        #expect(Self.text(response.bytes(omittingBody: true)) == expected)
    }

    @Test func framingFieldsInTheHeadersAreReplaced() {
        let headers = Headers([
            ("content-length", "7"), ("Transfer-Encoding", "chunked"), ("CONNECTION", "keep-alive"), ("X", "y"),
        ])
        let bytes = Response(status: 200, headers: headers, body: [0x61]).bytes()
        #expect(Self.text(bytes) == "HTTP/1.1 200 OK\r\nX: y\r\nContent-Length: 1\r\nConnection: close\r\n\r\na")
    }

    @Test func aResponseThatKeepsItsConnectionHasOnlyItsLength() {
        let headers = Headers([("Connection", "close"), ("Keep-Alive", "timeout=5")])
        let bytes = Response(status: 200, headers: headers, body: [0x61]).bytes(keepingConnection: true)
        #expect(Self.text(bytes) == "HTTP/1.1 200 OK\r\nKeep-Alive: timeout=5\r\nContent-Length: 1\r\n\r\na")
    }

    @Test(arguments: [204, 304])
    func aResponseWithoutABodyDeclaresNoLength(status: Int) {
        let text = Self.text(Response(status: status, body: [0x61]).bytes())
        #expect(!text.contains("Content-Length"))
        #expect(text.hasSuffix("Connection: close\r\n\r\n"))
    }

    @Test func aFieldCannotInjectALine() {
        let headers = Headers([("X", "a\r\nForged: 1\r\n\r\nbody\u{0}"), ("Y\r\nForged", "2"), ("", "3"), ("Z", "\tü")])
        let bytes = ResponseHead(status: 101, headers: headers).bytes()
        #expect(
            Self.text(bytes) == "HTTP/1.1 101 Switching Protocols\r\nX: a  Forged: 1    body \r\nZ: \tü\r\n\r\n")
    }

    @Test(arguments: [200, 404, 413, 426, 599])
    func aWrittenResponseCanBeParsed(status: Int) throws {
        let response = Response.text("Grüße", status: status)
        let bytes = response.bytes()
        for pieces in bytes.cutInTwo + [bytes.singleBytes] {
            var parser = ResponseParser()
            var read: [Response] = []
            for piece in pieces {
                parser.append(piece.span)
                while let next = try parser.next() { read.append(next) }
            }
            #expect(read.map(\.status) == [status])
            #expect(read.map(\.body) == [response.body])
            #expect(read.first?.headers.first("content-type") == "text/plain; charset=utf-8")
        }
    }
}
