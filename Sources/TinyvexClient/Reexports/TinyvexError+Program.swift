import JSONScan
import Tinyvex
import TinyvexMachine

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The codes of the protocol's errors, such as `sessionNotFound` (`TVX008`), `readOnly` for a token without the role, and
/// `limitExceeded`. `TinyvexError.protocolCode` has it.
public typealias TinyvexErrorCode = Tinyvex.TinyvexErrorCode
/// A JSON value, such as the `data` of `TinyvexError.server`.
public typealias JSONValue = JSONScan.JSONValue

/// The description is also the localized one, for `Text(error.localizedDescription)`. It is in English.
extension TinyvexError: LocalizedError {
    public var errorDescription: String? { description }
}

extension TinyvexError {
    /// The protocol's code of an error that the bridge answered; nil for all other errors and for a code that this
    /// library does not know.
    public var protocolCode: TinyvexErrorCode? {
        if case .server(let code, _, _) = self { TinyvexErrorCode(rawValue: code) } else { nil }
    }

    /// The time to wait before another attempt, if the server named one.
    public var retryAfter: Duration? {
        if case .transport(.busy(let delay)) = self { delay } else { nil }
    }
}
