/// How a stdio front says what it is, over HTTP on the Unix socket.
public enum FrontHandshake {
    public static let upgradeToken = "acpbridge-stdio"

    public static let request = Array(
        "GET /stdio HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: \(upgradeToken)\r\n\r\n".utf8)
}
