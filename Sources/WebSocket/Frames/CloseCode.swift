/// The reason for closing a connection, sent in the first two bytes of a close frame.
///
/// Source: RFC 6455, section 7.4, and IANA's "WebSocket Close Code Number Registry" for 1012–1014.
package struct CloseCode: RawRepresentable, Sendable, Hashable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    package static let normalClosure = CloseCode(rawValue: 1000)
    package static let goingAway = CloseCode(rawValue: 1001)
    package static let protocolError = CloseCode(rawValue: 1002)
    package static let unsupportedData = CloseCode(rawValue: 1003)
    /// Never sent. Reports a close frame without a code.
    package static let noStatusReceived = CloseCode(rawValue: 1005)
    package static let invalidPayload = CloseCode(rawValue: 1007)
    package static let policyViolation = CloseCode(rawValue: 1008)
    package static let messageTooBig = CloseCode(rawValue: 1009)
    package static let internalError = CloseCode(rawValue: 1011)
    package static let serviceRestart = CloseCode(rawValue: 1012)
    package static let tryAgainLater = CloseCode(rawValue: 1013)

    /// True when a close frame can carry this code. That is a registered code other than 1005, 1006 and 1015, which are only
    /// reported, or a code in the ranges for libraries (3000–3999) and applications (4000–4999).
    package var isValidOnTheWire: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}
