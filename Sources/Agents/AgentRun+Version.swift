import JSONScan

extension AgentRun {
    /// The version of ACP that the agent has answered to `initialize`. Nil before its answer, or if the answer has none.
    package var protocolVersion: Int64? {
        sessions?.initializeResult.flatMap { try? JSONValue(validating: $0) }?["protocolVersion"]?.int64Value
    }
}
