import Testing

@testable import TerminalIO

@Suite struct FolderNameTests {
    private let name = FolderName(home: "/home/me")

    @Test(arguments: [
        ("/home/me", "~"), ("/home/me/src/shop", "~/src/shop"), ("/home/meg/src", "/home/meg/src"), ("/", "/"),
        ("/a\u{1b}b", "/a<U+001B>b"),
    ])
    func theHomeFolderIsATilde(path: String, shown: String) { #expect(name.shown(path) == shown) }

    @Test func aLongPathIsCutAtItsBeginning() {
        let path = "/srv/customers/a-rather-long-name/projects/shop/backend"
        #expect(name.shown(path) == "…/projects/shop/backend")
        let component = "/" + String(repeating: "x", count: 60)
        #expect(name.shown(component) == "…" + String(repeating: "x", count: 39))
    }

    @Test func wideCharactersTakeTwoColumns() {
        let shown = name.shown("/" + String(repeating: "日", count: 30))
        #expect(shown == "…" + String(repeating: "日", count: 19))
        #expect(Table.width(name.shown("/" + String(repeating: "日", count: 19))) == 39, "it fits")
    }

    @Test func withoutAHomeThePathIsShown() { #expect(FolderName(home: nil).shown("/home/me") == "/home/me") }
}
