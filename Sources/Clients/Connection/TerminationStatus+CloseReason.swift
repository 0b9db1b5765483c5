import AgentProcess
import JSONScan

extension TerminationStatus {
    /// The reason text of the close frame that reports how an agent ended: `{"exitCode":1}` or `{"signal":9}`.
    var closeReason: String {
        switch self {
        case .exited(let code): #"{"exitCode":\#(code)}"#
        case .signaled(let signal): #"{"signal":\#(signal)}"#
        }
    }

    init?(closeReason: [UInt8]) {
        guard let value = try? JSONValue(validating: closeReason) else { return nil }
        if let code = value["exitCode"]?.int64Value {
            self = .exited(code: Int32(truncatingIfNeeded: code))
        } else if let signal = value["signal"]?.int64Value {
            self = .signaled(signal: Int32(truncatingIfNeeded: signal))
        } else {
            return nil
        }
    }
}
