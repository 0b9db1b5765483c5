import JSONRPC
import JSONScan

extension ToolState {
    /// The effect of a response on the turn.
    enum Consequence: Equatable {
        case proceed
        /// Store the answer to `allow_always` (true) or `reject_always` (false).
        case remember(Bool)
        case cancel
    }

    /// The request to the client that a step needs; nil if it needs none or if the call has failed.
    func request(for step: TurnStep) -> (method: String, params: [UInt8])? {
        switch step {
        case .releaseTerminal: return terminalID.map { ("terminal/release", terminalParams($0)) }
        case _ where failure != nil: return nil
        case .askPermission: return ("session/request_permission", permissionParams())
        case .readFile where setting.canUseFiles: return ("fs/read_text_file", fileParams(content: nil))
        case .writeFile where setting.canUseFiles: return ("fs/write_text_file", fileParams(content: newText))
        case .createTerminal: return ("terminal/create", createParams())
        case .waitForTerminal: return terminalID.map { ("terminal/wait_for_exit", terminalParams($0)) }
        case .readTerminal: return terminalID.map { ("terminal/output", terminalParams($0)) }
        default: return nil
        }
    }

    mutating func handle(_ outcome: Message.Outcome, for step: TurnStep) -> Consequence {
        switch outcome {
        case .result(let result): return handle(result, for: step)
        case .error(let error):
            fail(error, at: step)
            return .proceed
        }
    }

    private mutating func fail(_ error: ErrorObject, at step: TurnStep) {
        switch step {
        case .releaseTerminal: terminalID = nil
        case .readFile where error.code == .resourceNotFound: notes = .missing
        case .readFile:
            hasReadFailed = true
            failure = error.message
        default: failure = error.message
        }
    }

    private mutating func handle(_ result: JSONValue, for step: TurnStep) -> Consequence {
        switch step {
        case .askPermission: return handlePermission(result["outcome"])
        case .readFile:
            if let text = result["content"]?.stringValue { notes = .text(text) } else { refuseRead() }
        case .createTerminal:
            terminalID = result["terminalId"]?.stringValue
            if terminalID == nil { failure = "The client's response has no terminalId" }
        case .waitForTerminal:
            if let code = result["exitCode"]?.int64Value, code != 0 { failure = "echo exited with status \(code)" }
        case .readTerminal: output = result["output"]?.stringValue
        case .releaseTerminal: terminalID = nil
        default: break
        }
        return .proceed
    }

    private mutating func refuseRead() {
        hasReadFailed = true
        failure = "The client's response has no content"
    }

    private mutating func handlePermission(_ outcome: JSONValue?) -> Consequence {
        guard outcome?["outcome"]?.stringValue == "selected" else { return .cancel }
        switch outcome?["optionId"]?.stringValue {
        case "allow": return .proceed
        case "allow-always": return .remember(true)
        case "reject-always":
            failure = "Rejected by the user"
            return .remember(false)
        default:
            failure = "Rejected by the user"
            return .proceed
        }
    }

    private func permissionParams() -> [UInt8] {
        params { params in
            params.memberObject("toolCall") { call in
                writeCall(.edit, to: &call)
                call.memberArray("content") { writeDiff(to: &$0) }
            }
            Question.writePermissionOptions(to: &params)
        }
    }

    private func fileParams(content: String?) -> [UInt8] {
        params {
            $0.member("path", path)
            $0.member("content", ifPresent: content)
        }
    }

    private func createParams() -> [UInt8] {
        params { params in
            params.member("command", "echo")
            params.memberArray("args") { for argument in arguments { $0.element(argument) } }
            params.member("cwd", setting.cwd)
            // Far more than one line of echo needs.
            params.member("outputByteLimit", 65_536)
        }
    }

    private func terminalParams(_ terminalID: String) -> [UInt8] {
        params { $0.member("terminalId", terminalID) }
    }

    private func params(_ members: (inout JSONWriter) -> Void) -> [UInt8] {
        JSONWriter.object {
            $0.member("sessionId", setting.sessionID)
            members(&$0)
        }
    }
}
