/// The reason for closing a connection, sent in the first two bytes of a close frame.
///
/// Source: RFC 6455, section 7.4, and IANA's "WebSocket Close Code Number Registry" for 1012–1014.
public struct CloseCode: RawRepresentable, Sendable, Hashable {
    public let rawValue: UInt16

    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    public static let normalClosure = CloseCode(rawValue: 1000)
    public static let goingAway = CloseCode(rawValue: 1001)
    public static let protocolError = CloseCode(rawValue: 1002)
    public static let unsupportedData = CloseCode(rawValue: 1003)
    /// Never sent. Reports a close frame without a code.
    public static let noStatusReceived = CloseCode(rawValue: 1005)
    /// Never sent. Reports a connection that ended without a close frame.
    public static let abnormalClosure = CloseCode(rawValue: 1006)
    public static let invalidPayload = CloseCode(rawValue: 1007)
    public static let policyViolation = CloseCode(rawValue: 1008)
    public static let messageTooBig = CloseCode(rawValue: 1009)
    public static let mandatoryExtension = CloseCode(rawValue: 1010)
    public static let internalError = CloseCode(rawValue: 1011)
    public static let serviceRestart = CloseCode(rawValue: 1012)
    public static let tryAgainLater = CloseCode(rawValue: 1013)
    public static let badGateway = CloseCode(rawValue: 1014)
    /// Never sent. Reports a failed TLS handshake.
    public static let tlsHandshakeFailure = CloseCode(rawValue: 1015)

    /// True when a close frame can carry this code. That is a registered code other than the three that are only
    /// reported, or a code in the ranges for libraries (3000–3999) and applications (4000–4999).
    public var isValidOnTheWire: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}
