import HTTP1
import Testing

@testable import Access

@Suite struct PublicAddressTests {
    private let address = PublicAddress(
        origin: "https://bridge.example:8443", host: "bridge.example", path: "/base")

    @Test(arguments: [
        ("/base/v1/sessions?live=true", "/v1/sessions?live=true"), ("/base/", "/"), ("/v1/sessions", "/v1/sessions"),
        ("/base", "/base"), ("/basement/x", "/basement/x"), ("/base/base/x", "/base/x"), ("/?/base/", "/?/base/"),
    ])
    func theProxysPathIsRemovedOnce(target: String, local: String) {
        #expect(address.local(RequestHead(method: "GET", target: target)).target == local)
    }

    @Test func withoutAPathNothingIsRemoved() {
        let root = PublicAddress(origin: "https://bridge.example", host: "bridge.example", path: "")
        #expect(root.local(RequestHead(method: "GET", target: "//x")).target == "//x")
        #expect(root.url == "https://bridge.example")
        #expect(address.url == "https://bridge.example:8443/base")
        #expect(address.authority == "bridge.example:8443")
    }
}
