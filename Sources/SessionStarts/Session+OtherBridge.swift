import SessionStreams
import Tinyvex

extension Session {
    /// The reason why this bridge cannot change or drive the session. Nil for a session of this bridge.
    package var otherBridge: Rejection? {
        guard let home else { return nil }
        let away = home.unreachableTs == nil ? "" : ", which cannot be reached now"
        return Rejection(
            .readOnly,
            "session \(quoted(id)) is at bridge \(quoted(home.bridge))\(away); this bridge only shows it, so use that one",
            rpcCode: .invalidRequest)
    }
}
