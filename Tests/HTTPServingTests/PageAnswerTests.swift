import Access
import HTTP1
import Testing

@testable import HTTPServing
@testable import Page

@Suite struct PageAnswerTests {
    /// Long enough to be worth compressing, if the page's files are compressed.
    private let file = PageFile(contentType: "text/css", bytes: [UInt8](repeating: 0x20, count: 4096))
    private let plain = PageFile(contentType: "image/png", bytes: [1, 2, 3])

    private var tag: String { file.gzip == nil ? file.etag : "W/" + file.etag }

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
        #expect(response.status == 200 && response.body == file.gzip ?? file.bytes)
        #expect(response.headers.first("Content-Encoding") == file.gzip.map { _ in "gzip" })
        #expect(response.headers.first("Content-Type") == "text/css")
        #expect(response.headers.first("Vary") == file.gzip.map { _ in "Accept-Encoding" })
    }

    @Test(arguments: ["", "identity", "gzip;q=0", "gzip; q=0.000", "xgzip"])
    func aClientWithoutGzipGetsThePlainFile(encoding: String) {
        let response = answer(file, [("Accept-Encoding", encoding)])
        #expect(response.body == file.bytes)
        #expect(response.headers.first("Content-Encoding") == nil)
    }

    @Test func anUnchangedFileIsNotSentAgain() {
        for tags in [file.etag, "W/\(file.etag)", "\"x\", W/\(file.etag)", "*"] {
            let response = answer(file, [("If-None-Match", tags)])
            #expect(response.status == 304 && response.body.isEmpty, "\(tags)")
            #expect(response.headers.first("ETag") == tag)
            #expect(response.headers.first("Cache-Control") == "no-cache")
        }
    }

    @Test func aChangedFileIsSentAgain() {
        #expect(answer(file, [("If-None-Match", "\"other\"")]).status == 200)
        #expect(answer(plain, [("If-None-Match", file.etag)]).headers.first("ETag") == plain.etag)
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

    @Test func thePolicyNamesTheProxysAddress() {
        let head = RequestHead(method: "GET", target: "/", headers: Headers([("Host", "127.0.0.1:7717")]))
        let address = PublicAddress(origin: "https://bridge.example", host: "bridge.example", path: "/base")
        let response = PageAnswer.response(to: head, plain, usesTLS: false, publicAddress: address)
        let policy = response.headers.first("Content-Security-Policy") ?? ""
        #expect(policy.contains("ws://127.0.0.1:7717 wss://127.0.0.1:7717 wss://bridge.example;"))
    }
}
