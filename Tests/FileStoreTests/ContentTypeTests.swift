import FileStore
import Testing

@Suite struct ContentTypeTests {
    @Test(arguments: ["text/plain", "image/svg+xml", "text/html; charset=utf-8", "Image/PNG ; a=b"])
    func aMediaTypeIsKept(text: String) throws {
        #expect(try #require(ContentType(text)).text == text)
    }

    @Test(arguments: [
        "", "text", "text/", "/plain", "text/plain/x", "text/plain\r\nSet-Cookie: a", "text/pl ain", "text/plain x",
        "te\u{7f}xt/plain", "a/" + String(repeating: "b", count: 300),
    ])
    func anotherTextIsRefused(text: String) { #expect(ContentType(text) == nil) }

    @Test func onlyTypesWithoutScriptsAreShownInABrowser() throws {
        for (text, isInline) in [
            ("image/png", true), ("audio/mpeg", true), ("application/pdf", true), ("IMAGE/WEBP", true),
            ("image/svg+xml", false), ("audio/svg+xml", false), ("text/html", false), ("application/xhtml+xml", false),
            ("text/plain", false),
        ] {
            #expect(try #require(ContentType(text)).isSafeInline == isInline, "\(text)")
        }
    }
}
