// Messages that a bridge sends.
extension String {
    /// A `tinyvex/data` notification. `subId` is JSON text.
    package static func data(_ subId: String, _ seq: Int, _ value: String) -> String {
        #"{"jsonrpc":"2.0","method":"tinyvex/data","params":{"subId":\#(subId),"seq":\#(seq),"value":\#(value)}}"#
    }

    /// A line of the session `s` with an update of this kind.
    package static func update(_ kind: String) -> String {
        #"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"\#(kind)"}}}"#
    }
}
