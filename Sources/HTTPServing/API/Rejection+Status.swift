import Tinyvex

extension Rejection {
    /// The HTTP status that corresponds to the error code.
    var httpStatus: Int {
        switch code {
        case .unauthorized: 401
        case .readOnly: 403
        case .sessionNotFound where rpcCode != .internalError: 404
        case .sessionAmbiguous: 409
        case .limitExceeded: 429
        case .agentUnavailable: 503
        case .timeout: 504
        default: rpcCode == .internalError ? 500 : rpcCode == .methodNotFound ? 404 : 400
        }
    }
}
