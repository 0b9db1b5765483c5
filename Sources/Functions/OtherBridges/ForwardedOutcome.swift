import JSONRPC
import JSONScan
import LiveQueries
import Tinyvex

/// The outcome of a forwarded call as the bridges exchange it: `{"value":…}` or
/// `{"error":{"rpcCode":-32602,"code":"TVX008","message":"…"}}`. Pure.
package struct ForwardedOutcome {
    package let outcome: QueryOutcome

    package init(_ outcome: QueryOutcome) { self.outcome = outcome }

    /// Longer than any message of a bridge. Agents can return longer ones.
    private static let messageScalars = 4_000

    /// Nil for a text that no bridge of this version writes.
    package init?(text: [UInt8]) {
        guard let value = try? JSONValue(validating: text) else { return nil }
        if let result = value["value"] {
            outcome = .success(Array(result.rawText))
            return
        }
        guard let error = value["error"], let rpcCode = error["rpcCode"]?.int64Value.flatMap(Int.init(exactly:)),
            let message = error["message"]?.stringValue
        else { return nil }
        var rejection = Rejection(ErrorCode(rawValue: rpcCode), message)
        rejection.code = error["code"]?.stringValue.flatMap(TinyvexErrorCode.init)
        outcome = .failure(rejection)
    }

    /// - Parameter limitBytes: A longer result is replaced by an error.
    package func text(limitBytes: Int) -> [UInt8] {
        let text = JSONWriter.object { writer in
            switch outcome {
            case .success(let value): writer.member("value", raw: value)
            case .failure(let rejection): writer.memberObject("error") { Self.write(rejection, to: &$0) }
            }
        }
        guard text.count > limitBytes else { return text }
        let rejection = Rejection(
            .mutationFailed, "it ran, but its result is longer than \(limitBytes) bytes", rpcCode: .invalidRequest)
        return JSONWriter.object { writer in
            writer.memberObject("error") { Self.write(rejection, to: &$0) }
        }
    }

    private static func write(_ rejection: Rejection, to writer: inout JSONWriter) {
        writer.member("rpcCode", Int64(rejection.rpcCode.rawValue))
        writer.member("code", ifPresent: rejection.code?.rawValue)
        writer.member("message", String(rejection.message.unicodeScalars.prefix(messageScalars)))
    }
}
