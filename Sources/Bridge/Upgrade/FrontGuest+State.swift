import JSONRPC

/// An editor that has taken over an agent, as it is handed over. What was on its way between it and the bridge has
/// arrived by then.
extension FrontGuest {
    struct State: Codable {
        var input: Int32?
        var output: Outlet.State?
        var lines: LineSplitter
        /// The front's ``LaunchRequest`` as it was sent.
        var request: [UInt8]
        var link: GuestLink.HandedOver
    }
}

extension FrontLink.State {
    /// The descriptors that are handed over with it.
    var descriptors: [Int32] { [fd] + [guest?.input, guest?.output?.fd].compactMap(\.self) }
}
