import ACPRouting
import Tinyvex

extension ClientRefusal {
    /// The error for a client of the bridge's own protocol.
    package var rejection: Rejection {
        switch reason {
        case .turnIsRunning, .queueIsFull, .tooManyRequests, .inputIsFull:
            Rejection(.limitExceeded, message, rpcCode: .invalidRequest)
        case .idInUse, .idTooLong: Rejection(.invalidRequest, message)
        case .notYourAgent: Rejection(.readOnly, message, rpcCode: .invalidRequest)
        case .childSession: Rejection(.invalidParams, message)
        }
    }
}
