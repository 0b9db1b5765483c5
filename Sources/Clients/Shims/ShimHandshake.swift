/// The HTTP upgrade request with which a stdio shim identifies itself on the Unix socket.
package enum ShimHandshake {
    package static let upgradeToken = "acpbridge-stdio"

    package static let request = Array(
        "GET /stdio HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: \(upgradeToken)\r\n\r\n".utf8)
}
