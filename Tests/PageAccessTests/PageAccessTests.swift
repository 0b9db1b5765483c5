import PageAccess
import TerminalText
import Testing

@Suite struct PageAddressTests {
    @Test(arguments: [
        ("ws://127.0.0.1:7717/tinyvex", "http://127.0.0.1:7717", "127.0.0.1"),
        ("wss://Bridge.example/tinyvex", "https://Bridge.example", "bridge.example"),
        ("https://[::1]:7717", "https://[::1]:7717", "::1"), ("HTTP://h:1/#x", "http://h:1", "h"),
    ])
    func anAddressIsAnOrigin(url: String, origin: String, host: String) throws {
        let address = try #require(PageAddress(url))
        #expect(address.description == origin && address.host == host)
    }

    @Test(arguments: ["", "127.0.0.1:7717", "unix:/run/x", "ftp://h", "http://", "http://:80", "ws:/h"])
    func anythingElseIsNoAddress(url: String) { #expect(PageAddress(url) == nil) }

    @Test(arguments: [
        ("https://bridge.example/base", "https://bridge.example/base"),
        ("https://bridge.example:8443", "https://bridge.example:8443"),
        ("https://bridge.example/a/b/", "https://bridge.example/a/b"),
    ])
    func aPublicAddressKeepsItsPath(url: String, address: String) {
        #expect(PageAddress(publicURL: url)?.description == address)
        #expect(PageAddress(publicURL: url)?.url(code: "c0de") == address + "/#code=c0de")
    }

    @Test(arguments: ["", "bridge.example", "https://h?x", "https://h/#x", "https://"])
    func otherTextIsNoPublicAddress(url: String) { #expect(PageAddress(publicURL: url) == nil) }

    @Test func aLocalBrowserUsesLoopback() {
        let urls = ["wss://10.0.0.5:7717/tinyvex", "wss://127.0.0.1:7718/tinyvex"]
        #expect(PageAddress.local(of: urls)?.description == "https://127.0.0.1:7718")
        #expect(PageAddress.local(of: ["wss://0.0.0.0:7717/tinyvex"])?.description == "https://localhost:7717")
        #expect(PageAddress.local(of: ["wss://[::]:7717/tinyvex"])?.description == "https://localhost:7717")
        #expect(PageAddress.local(of: ["wss://10.0.0.5:7717/tinyvex"])?.description == "https://10.0.0.5:7717")
        #expect(PageAddress.local(of: []) == nil)
    }

    @Test func aPhoneUsesAnAddressOfTheNetwork() {
        let urls = ["ws://127.0.0.1:7717/tinyvex", "wss://0.0.0.0:1/tinyvex", "wss://10.0.0.5:7717/tinyvex"]
        #expect(PageAddress.remote(of: urls)?.description == "https://10.0.0.5:7717")
        #expect(PageAddress.remote(of: Array(urls.prefix(2))) == nil)
    }

    @Test func theCodeIsInTheFragment() {
        #expect(PageAddress("http://127.0.0.1:7717")?.url(code: "c0de") == "http://127.0.0.1:7717/#code=c0de")
    }
}

@Suite struct RedirectDocumentTests {
    @Test func theURLIsEscaped() {
        let html = RedirectDocument.html(to: "http://a\"><script>'&/#code=1")
        #expect(html.contains("url=http://a&quot;&gt;&lt;script&gt;&#39;&amp;/#code=1\""))
        #expect(!html.contains("<script"))
    }
}

@Suite struct QRCodeTests {
    private let code = QRCode(rows: [[true, false, true], [false, false, true], [true, true, true]])

    @Test func twoRowsOfModulesAreOneLine() {
        let lines = code.picture(colored: true).text.split(separator: "\n")
        #expect(lines.count == 6 && code.columns == 11)
        #expect(lines[0] == "\u{1b}[30;107m           \u{1b}[0m")
        #expect(lines[2] == "\u{1b}[30;107m    ▀ █    \u{1b}[0m")
        #expect(lines[3] == "\u{1b}[30;107m    ▀▀▀    \u{1b}[0m")
    }

    @Test func withoutColoursLightModulesAreDrawn() {
        let lines = code.picture(colored: false).text.split(separator: "\n")
        #expect(lines[0] == "███████████")
        #expect(lines[2] == "████▄█ ████")
    }

    @Test func everyCodeHasTheThreeFinderPatterns() throws {
        let code = try QRCode(encoding: "http://127.0.0.1:7717/#code=0123456789abcdef0123456789abcdef")
        let width = code.rows.count
        #expect(width >= 21 && (width - 17).isMultiple(of: 4))
        for (row, column) in [(0, 0), (0, width - 7), (width - 7, 0)] {
            #expect(code.rows[row][column..<column + 7].allSatisfy { $0 })
            #expect(code.rows[row + 1][column..<column + 7].map { $0 ? 1 : 0 } == [1, 0, 0, 0, 0, 0, 1])
        }
    }
}
