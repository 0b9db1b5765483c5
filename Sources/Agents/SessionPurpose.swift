/// The one session for which the bridge has started an agent without an editor, until the agent has opened the session.
///
/// The request that opens it does not survive the replacement of the bridge: the next program ends such an agent.
package struct SessionPurpose {
    /// The id of the session to continue; nil for a new one.
    let session: String?
    /// How the agent is started again if it fails later. Nil if its profile does not ask for it.
    let restartPlan: RestartPlan?
    /// The names by which the clients that wait for the session can cancel the start.
    package var keys: [String] = []

    /// - Parameter request: The agent's launch request.
    init(session: String?, _ request: LaunchRequest) {
        self.session = session
        guard request.restartsOnFailure == true else {
            restartPlan = nil
            return
        }
        var request = request
        request.lifetime = .keep
        restartPlan = RestartPlan(request)
    }
}
