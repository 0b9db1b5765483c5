import HTTP1
import Testing

@testable import Bridge
@testable import Page

@Suite struct PageAnswerTests {
    private let file = PageFile(contentType: "text/css", bytes: [1, 2, 3], gzip: [9], etag: "\"a1\"")
    private let plain = PageFile(contentType: "image/png", bytes: [1, 2, 3], gzip: nil, etag: "\"b2\"")

    private func answer(
        _ file: PageFile, _ fields: [(name: String, value: String)] = [], host: String = "localhost:7717",
        usesTLS: Bool = false
    ) -> Response {
        let headers = Headers([(name: "Host", value: host)] + fields)
        return PageAnswer.response(
            to: RequestHead(method: "GET", target: "/", headers: headers), file, usesTLS: usesTLS)
    }

    @Test func aBrowserGetsTheCompressedFile() {
        let response = answer(file, [("Accept-Encoding", "deflate, gzip;q=0.8, br")])
        #expect(response.status == 200 && response.body == [9])
        #expect(response.headers.first("Content-Encoding") == "gzip")
        #expect(response.headers.first("Content-Type") == "text/css")
        #expect(response.headers.first("Vary") == "Accept-Encoding")
    }

    @Test(arguments: ["", "identity", "gzip;q=0", "gzip; q=0.000", "xgzip"])
    func aClientWithoutGzipGetsThePlainFile(encoding: String) {
        let response = answer(file, [("Accept-Encoding", encoding)])
        #expect(response.body == [1, 2, 3])
        #expect(response.headers.first("Content-Encoding") == nil)
        #expect(response.headers.first("Vary") == "Accept-Encoding")
    }

    @Test(arguments: ["\"a1\"", "W/\"a1\"", "\"x\", W/\"a1\"", "*"])
    func anUnchangedFileIsNotSentAgain(tags: String) {
        let response = answer(file, [("If-None-Match", tags)])
        #expect(response.status == 304 && response.body.isEmpty)
        #expect(response.headers.first("ETag") == "W/\"a1\"")
        #expect(response.headers.first("Cache-Control") == "no-cache")
    }

    @Test func aChangedFileIsSentAgain() {
        #expect(answer(file, [("If-None-Match", "\"a0\"")]).status == 200)
        #expect(answer(plain, [("If-None-Match", "\"a1\"")]).headers.first("ETag") == "\"b2\"")
    }

    @Test func thePolicyNamesTheWebSocketsOfThePagesHost() {
        let policy = answer(plain).headers.first("Content-Security-Policy")
        #expect(policy?.contains("connect-src 'self' ws://localhost:7717 wss://localhost:7717;") == true)
        #expect(policy?.contains("default-src 'none'") == true && policy?.contains("frame-ancestors 'none'") == true)
        let secure = answer(plain, host: "bridge.example", usesTLS: true).headers.first("Content-Security-Policy")
        #expect(secure?.contains("connect-src 'self' wss://bridge.example;") == true)
    }

    @Test(arguments: ["x;script-src*.localhost", "a'b.localhost", "a,b.localhost", "a=b.localhost", "*.localhost"])
    func aHostThatCouldChangeThePolicyIsNotInIt(host: String) {
        #expect(answer(plain, host: host).headers.first("Content-Security-Policy") == Page.contentSecurityPolicy)
    }
}
