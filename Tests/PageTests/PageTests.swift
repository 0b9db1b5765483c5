import Testing

@testable import Page

@Suite struct PageTests {
    @Test func eachFileThatThePageLoadsIsServed() throws {
        let index = try #require(Page.file(at: "/"))
        #expect(index.contentType == "text/html; charset=utf-8")
        let text = String(decoding: index.bytes, as: UTF8.self)
        for attribute in text.split(separator: "\"") where attribute.hasPrefix("/") {
            #expect(Page.file(at: String(attribute)) != nil, "index.html loads \(attribute)")
        }
    }

    @Test(arguments: ["", "/index.html", "//", "/../page.js", "/page.js/", "/PAGE.JS", "/page.js?x=1", "/%2e"])
    func onlyExactPathsHaveAFile(path: String) {
        #expect(Page.file(at: path) == nil)
    }

    @Test func allFilesTogetherHaveAtMost150KBCompressed() {
        let sizes = Page.paths.compactMap { Page.file(at: $0) }.map { $0.gzip?.count ?? $0.bytes.count }
        #expect(sizes.count == 9)
        #expect(sizes.reduce(0, +) < 150_000)
    }

    @Test func compressedBytesBeginLikeGzipAndAreSmaller() throws {
        let script = try #require(Page.file(at: "/page.js"))
        let gzip = try #require(script.gzip)
        #expect(gzip.starts(with: [0x1f, 0x8b, 8]))
        #expect(gzip.count < script.bytes.count / 2)
        // The last four bytes are the size of the content. RFC 1952, 2.3.1.
        let size = gzip.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        #expect(size == script.bytes.count)
    }

    @Test func anImageThatGzipDoesNotShrinkIsServedAsItIs() {
        let noise = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* $0 &* 2_654_435_761 >> 7) }
        let file = PageFile(contentType: "image/png", bytes: noise)
        #expect(file.gzip.map { $0.count < noise.count * 9 / 10 } ?? true)
    }

    @Test func etagsDifferIfTheBytesDo() {
        let first = PageFile(contentType: "text/plain", bytes: Array("a".utf8))
        let second = PageFile(contentType: "text/plain", bytes: Array("b".utf8))
        #expect(first.etag != second.etag)
        #expect(first.etag.hasPrefix("\"") && first.etag.hasSuffix("\""))
    }

    @Test func thePolicyAllowsNeitherInlineScriptsNorOtherOrigins() {
        #expect(!Page.contentSecurityPolicy.contains("unsafe"))
        #expect(!Page.contentSecurityPolicy.contains("http"))
        #expect(Page.contentSecurityPolicy.contains("require-trusted-types-for 'script'"))
    }
}
