import HTTP1
import Testing

@Suite struct RequestParserTests {
    @Test func pipelinedRequestsAreReadAtEverySplit() {
        let bytes = Array(
            """
            GET /acp?session=7&x=? HTTP/1.1\r
            Host: localhost:7777\r
            Connection: keep-alive, Upgrade\r
            connection:\tclose \t\r
            Empty:\r
            Name: Grüße: 1\r
            \r
            POST / HTTP/1.0\r
            content-length: 5\r
            \r
            a\r\nb\nDELETE /x HTTP/1.1\r
            Host:\r
            Content-Length: 0\r
            \r

            """.utf8)
        for pieces in bytes.cutInTwo + [bytes.singleBytes] {
            let transcript = Transcript.reading(pieces)
            #expect(transcript.refusal == nil)
            #expect(transcript.requests.map(\.head.method) == ["GET", "POST", "DELETE"])
            #expect(transcript.requests.map(\.body) == [[], Array("a\r\nb\n".utf8), []])
        }
        let head = Transcript.reading([bytes]).requests[0].head
        #expect(head.target == "/acp?session=7&x=?")
        #expect(head.path == "/acp")
        #expect(head.query == "session=7&x=?")
        #expect(head.minorVersion == 1)
        #expect(head.headers.first("HOST") == "localhost:7777")
        #expect(head.headers.all("Connection") == ["keep-alive, Upgrade", "close"])
        #expect(head.headers.tokens("connection") == ["keep-alive", "Upgrade", "close"])
        #expect(head.headers.contains(token: "upgrade", in: "Connection"))
        #expect(head.headers.first("empty")?.isEmpty == true)
        #expect(head.headers.first("name") == "Grüße: 1")
        #expect(head.headers.first("absent") == nil)
    }

    @Test func aLargeBodyIsTakenInParts() throws {
        var parser = RequestParser { $0.path == "/large" ? 6 : 2 }
        parser.append(Array("POST /large HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\nab".utf8).span)
        #expect(try parser.next() == nil)
        #expect(parser.pendingHead?.path == "/large")
        #expect(parser.takeBodyPart() == Array("ab".utf8))
        #expect(parser.takeBodyPart().isEmpty)
        parser.append(Array("cd".utf8).span)
        #expect(try parser.next() == nil)
        #expect(parser.takeBodyPart() == Array("cd".utf8))
        parser.append(Array("efg".utf8).span)
        #expect(try parser.next()?.body == Array("ef".utf8))
        #expect(parser.takeRemainder() == Array("g".utf8))
        var other = RequestParser { $0.path == "/large" ? 6 : 2 }
        other.append(Array("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\n".utf8).span)
        #expect(throws: HTTPRefusal.self) { try other.next() }
    }

    @Test func theBytesAfterAnUpgradeAreReturned() throws {
        let head = Array("GET /acp HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n\r\n".utf8)
        var parser = RequestParser(bodyLimitBytes: 0)
        parser.append((head + [0x81, 0x80, 1, 2, 3, 4]).span)
        #expect(try parser.next()?.head.path == "/acp")
        #expect(parser.takeRemainder() == [0x81, 0x80, 1, 2, 3, 4])
        #expect(parser.takeRemainder() == [])
    }

    @Test func theHeadCanBeCheckedBeforeTheBodyArrives() throws {
        var parser = RequestParser(bodyLimitBytes: 10)
        parser.append(Array("POST /api HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nab".utf8).span)
        #expect(try parser.next() == nil)
        #expect(parser.pendingHead?.path == "/api")
        parser.append(Array("c".utf8).span)
        #expect(try parser.next()?.body == Array("abc".utf8))
        #expect(parser.pendingHead == nil)
    }

    @Test(arguments: ["GET", "HEAD", "DELETE", "OPTIONS"])
    func aMethodWithoutABodyHasNone(method: String) throws {
        var parser = RequestParser(bodyLimitBytes: 10)
        parser.append(Array("\(method) / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n".utf8).span)
        #expect(throws: HTTPRefusal.self) { try parser.next() }
    }

    @Test func theOwnerSetsTheSizeLimitOfTheHead() {
        let head = Array("GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "x", count: 100))\r\n\r\n".utf8)
        for (limit, status) in [(head.count, nil), (head.count - 1, 431), (16, 431), (15, 414)] {
            var parser = RequestParser(bodyLimitBytes: 0, headLimitBytes: limit)
            parser.append(head.span)
            var refused: Int?
            do throws(HTTPRefusal) { _ = try parser.next() } catch { refused = error.status }
            #expect(refused == status, "\(limit)")
        }
    }

    /// Source: RFC 9110, section 9.3.2.
    @Test(arguments: [
        ("HEAD / HTTP/1.1\r\n\r\n", true), ("HEAD / HTTP/3.0\r\n", true), ("HEAD x HTTP/1.1\r\n", true),
        ("HEAD / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n", true), ("HEADER / HTTP/1.1\r\n", false),
        ("GET / HTTP/1.1\r\n\r\n", false),
    ])
    func aRefusedHeadRequestIsRecognized(text: String, isHead: Bool) {
        for pieces in Array(text.utf8).cutInTwo + [Array(text.utf8).singleBytes] {
            var parser = RequestParser(bodyLimitBytes: 0)
            for piece in pieces {
                parser.append(piece.span)
                #expect((try? parser.next()) == nil)
            }
            #expect(parser.isHead == isHead)
        }
    }

    @Test func noRequestIsReadAfterARefusal() throws {
        var parser = RequestParser(bodyLimitBytes: 0)
        parser.append(Array("BREW / HTTP/1.1\r\n\r\n".utf8).span)
        #expect(throws: HTTPRefusal.self) { try parser.next() }
        parser.append(Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8).span)
        #expect(try parser.next() == nil)
        #expect(parser.takeRemainder() == [])
    }

    @Test(arguments: [
        ("GET  / HTTP/1.1\r\n", 400), ("GET /a b HTTP/1.1\r\n", 400), (" GET / HTTP/1.1\r\n", 400),
        ("GET / HTTP/1.1 \r\n", 400), ("GET\t/\tHTTP/1.1\r\n", 400), ("\r\nGET / HTTP/1.1\r\n", 400),
        ("GET / http/1.1\r\n", 400), ("GET / HTTP/1\r\n", 505), ("GET / HTTP/x\r\n", 400), ("GET / FTP/1.1\r\n", 400),
        ("GET /\r\n", 505), ("GET\r\n", 400), ("GET / HTTP/0.9\r\n", 505), ("GET / HTTP/1.2\r\n", 505),
        ("GET / HTTP/2.0\r\n", 505), ("GET / HTTP/11.1\r\n", 505), ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
        ("G(T / HTTP/1.1\r\n", 400), ("GÉT / HTTP/1.1\r\n", 400), ("get / HTTP/1.1\r\n", 501),
        ("BREW / HTTP/1.1\r\n", 501), ("TRACE / HTTP/1.1\r\n", 501), ("CONNECT a:443 HTTP/1.1\r\n", 501),
        ("GET http://a/ HTTP/1.1\r\n", 400), ("GET a:443 HTTP/1.1\r\n", 400), ("OPTIONS * HTTP/1.1\r\n", 400),
        ("GET /#top HTTP/1.1\r\n", 400), ("GET /é HTTP/1.1\r\n", 400), ("GET /\u{7F} HTTP/1.1\r\n", 400),
        ("GET /\u{0} HTTP/1.1\r\n", 400), ("GET / HTTP/1.1\n", 400), ("GET /\rHTTP/1.1\r\n", 400),
        ("\u{16}\u{3}\u{1}", 400),
    ])
    func aMalformedFirstLineIsRefusedAsSoonAsItEnds(line: String, status: Int) {
        #expect(Transcript.refusedStatus(line) == status)
    }

    static func request(_ fields: String) -> String {
        "POST / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n"
    }

    @Test(arguments: [
        ("Content-Length: 1\r\nContent-Length: 1", 400), ("Content-Length: 1\r\ncontent-length: 2", 400),
        ("Content-Length: 1, 1", 400), ("Content-Length: +1", 400), ("Content-Length: -1", 400),
        ("Content-Length: 0x1", 400), ("Content-Length: 1 1", 400), ("Content-Length:", 400),
        ("Content-Length: ١", 400), ("Content-Length: 1.0", 400), ("Content-Length: \"1\"", 400),
        ("Content-Length : 1", 400), ("Content-Length\t: 1", 400), (" Content-Length: 1", 400),
        ("Transfer-Encoding: gzip, chunked", 501), ("Transfer-Encoding: identity", 501), ("transfer-encoding:", 501),
        ("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", 400), ("Transfer-Encoding: chunked;q=1", 501),
        ("Transfer-Encoding: xchunked", 501), ("Transfer-Encoding : chunked", 400),
        ("Transfer-Encoding\u{0B}: chunked", 400), ("Content-Length: 1\r\nTransfer-Encoding: chunked", 400),
        ("Transfer-Encoding: chunked\r\nContent-Length: 1", 400), ("X: a\r\n Transfer-Encoding: chunked", 400),
        ("X: a\r\n\tb", 400), ("X: a\nTransfer-Encoding: chunked", 400), ("X: a\rTransfer-Encoding: chunked", 400),
        ("X: a\r\r", 400), ("X: a\u{0}b", 400), ("X: a\u{7F}", 400), ("X", 400), (": a", 400), ("X Y: a", 400),
        ("Ü: a", 400), ("X(: a", 400), ("Host: a", 400), ("Host: b", 400), ("host: a", 400),
        ("Expect: 100-continue\r\nExpect: 100-continue", 417), ("Expect: anything", 417),
        ("Content-Length: 1001", 413), ("Content-Length: 99999999999999999999999999", 413),
    ])
    func ambiguousRequestsAreRefused(fields: String, status: Int) {
        #expect(Transcript.refusedStatus(Self.request(fields)) == status)
    }

    @Test(arguments: ["a b", "a,b", "a/b", "user@a", "a?", "é"])
    func anInvalidHostIsRefused(host: String) {
        #expect(Transcript.refusedStatus("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n") == 400)
    }

    @Test(arguments: ["localhost", "127.0.0.1:80", "[::1]:7777", "a-b.example", ""])
    func aValidHostIsAccepted(host: String) {
        #expect(Transcript.reading([Array("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n".utf8)]).requests.count == 1)
    }

    @Test func aHostIsRequiredOnlySinceVersion11() {
        #expect(Transcript.refusedStatus("GET / HTTP/1.1\r\n\r\n") == 400)
        #expect(Transcript.reading([Array("GET / HTTP/1.0\r\n\r\n".utf8)]).requests.count == 1)
    }

    @Test func invalidUTF8InAValueIsRefused() {
        let bytes = Array("GET / HTTP/1.1\r\nHost: a\r\nX: ".utf8) + [0xFF] + Array("\r\n\r\n".utf8)
        #expect(Transcript.reading([bytes]).refusal?.status == 400)
    }

    @Test func theFirstLineIsLimited() {
        func line(_ count: Int) -> String { "GET /\(String(repeating: "a", count: count - 16)) HTTP/1.1\r\n" }
        #expect(Transcript.refusedStatus(line(8192)) == nil)
        #expect(Transcript.refusedStatus(line(8193)) == 414)
        #expect(Transcript.refusedStatus(String(repeating: "a", count: 8193)) == 414)
    }

    @Test func theHeadIsLimited() {
        let front = "GET / HTTP/1.1\r\nHost: a\r\nX: "
        let room = 16384 - front.utf8.count - 4
        func head(_ count: Int) -> String { "\(front)\(String(repeating: "a", count: count))\r\n\r\n" }
        #expect(Transcript.reading([Array(head(room).utf8)]).requests.count == 1)
        #expect(Transcript.refusedStatus(head(room + 1)) == 431)
        #expect(Transcript.refusedStatus(front + String(repeating: "a", count: 16384)) == 431)
        #expect(Transcript.refusedStatus(front + String(repeating: "a\r\nX:", count: 4000)) == 431)
    }

    @Test func aBodyOfExactlyTheLimitIsRead() {
        let body = [UInt8](repeating: 0, count: 1000)
        let bytes = Array("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n".utf8) + body
        #expect(Transcript.reading(bytes.singleBytes).requests.map(\.body) == [body])
    }

    @Test func aRefusalOfABodyHasItsHead() {
        var parser = RequestParser(bodyLimitBytes: 10)
        parser.append(Array("POST /v1/files HTTP/1.1\r\nHost: a\r\nContent-Length: 11\r\n\r\n".utf8).span)
        #expect(throws: HTTPRefusal.self) { try parser.next() }
        #expect(parser.refusedHead?.path == "/v1/files")
    }

    @Test func aClientThatWaitsForContinueSendsItsBodyAfterIt() throws {
        var parser = RequestParser(bodyLimitBytes: 10)
        parser.append(
            Array("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\nContent-Length: 1\r\n\r\n".utf8).span)
        #expect(try parser.next() == nil)
        #expect(parser.awaitsContinue)
        parser.noteContinue()
        #expect(!parser.awaitsContinue)
        parser.append(Array("x".utf8).span)
        #expect(try parser.next()?.body == Array("x".utf8))
    }

    @Test(arguments: [
        "POST / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nx",
    ])
    func nobodyWaitsForContinueInHTTP10OrAfterTheFirstByte(text: String) throws {
        var parser = RequestParser(bodyLimitBytes: 10)
        parser.append(Array(text.utf8).span)
        #expect(try parser.next() == nil)
        #expect(!parser.awaitsContinue)
    }

    /// Source: RFC 9112, section 9.3.
    @Test(arguments: [
        ("GET / HTTP/1.1\r\nHost: a\r\n\r\n", true), ("GET / HTTP/1.0\r\n\r\n", false),
        ("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", false),
        ("GET / HTTP/1.1\r\nHost: a\r\nConnection: keep-alive\r\n\r\n", true),
        ("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", false),
        ("GET / HTTP/1.1\r\nHost: a\r\nConnection: CLOSE\r\n\r\n", false),
        ("GET / HTTP/1.1\r\nHost: a\r\nConnection: keep-alive\r\nConnection: te, close\r\n\r\n", false),
        ("GET / HTTP/1.1\r\nHost: a\r\nConnection: closer\r\n\r\n", true),
        ("GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n", false),
    ])
    func aConnectionIsKeptUnlessTheRequestEndsIt(text: String, isKept: Bool) {
        #expect(Transcript.reading([Array(text.utf8)]).requests.map(\.head.keepsConnection) == [isKept])
    }

    @Test func aPipelinedRequestIsCountedUntilItIsRead() throws {
        var parser = RequestParser(bodyLimitBytes: 10)
        let next = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nx"
        parser.append(Array(("GET / HTTP/1.1\r\nHost: a\r\n\r\n" + next).utf8).span)
        #expect(try parser.next()?.head.method == "GET")
        #expect(parser.unfinishedBytes == next.utf8.count && parser.pendingHead == nil)
        #expect(try parser.next() == nil)
        #expect(parser.unfinishedBytes == 1 && parser.pendingHead?.method == "POST")
        parser.append(Array("y".utf8).span)
        #expect(try parser.next()?.body == Array("xy".utf8))
        #expect(parser.unfinishedBytes == 0)
    }
}
