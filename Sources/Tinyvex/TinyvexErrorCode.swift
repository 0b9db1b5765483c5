/// The protocol's own error codes, in `data.code` of an error response and in `tinyvex/error`.
public enum TinyvexErrorCode: String, Sendable, CaseIterable {
    /// No such `subId` on this connection.
    case subscriptionNotFound = "TVX001"
    /// Unknown stream name, bad parameters, or a second subscription to one session's stream.
    case subscriptionRejected = "TVX002"
    case mutationFailed = "TVX003"
    /// The stream could not go on where the client stood; it goes on at `startSeq`.
    case resumeFailed = "TVX004"
    case backpressureDrop = "TVX005"
    case unauthorized = "TVX006"
    case timeout = "TVX007"
    case sessionNotFound = "TVX008"
    /// Several sessions fit; `data.candidates` names them.
    case sessionAmbiguous = "TVX009"
    case agentUnavailable = "TVX010"
    case readOnly = "TVX011"
    case limitExceeded = "TVX012"
}
