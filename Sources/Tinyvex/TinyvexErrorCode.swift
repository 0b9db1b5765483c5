/// The protocol's own error codes, in `data.code` of an error response and in `tinyvex/error`.
public enum TinyvexErrorCode: String, Sendable, CaseIterable {
    /// The connection has no subscription with this `subId`.
    case subscriptionNotFound = "TVX001"
    /// Unknown stream name, invalid parameters, or a second subscription to one session's stream.
    case subscriptionRejected = "TVX002"
    case mutationFailed = "TVX003"
    /// The stream cannot resume at the client's position; it continues at `startSeq`.
    case resumeFailed = "TVX004"
    case backpressureDrop = "TVX005"
    case unauthorized = "TVX006"
    case timeout = "TVX007"
    case sessionNotFound = "TVX008"
    /// Several sessions match; `data.candidates` lists them.
    case sessionAmbiguous = "TVX009"
    case agentUnavailable = "TVX010"
    case readOnly = "TVX011"
    case limitExceeded = "TVX012"
}
