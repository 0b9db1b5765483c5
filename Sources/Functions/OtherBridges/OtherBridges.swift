import EventLoop
import LiveQueries
import SessionRecords
import SessionStreams
import Tinyvex

/// The bridges whose sessions this bridge shows, and to which it can forward calls: those of a hub, or the peers.
@LoopActor package protocol OtherBridges: AnyObject {
    /// True for a function that the bridge of a session performs for clients of this bridge.
    func forwards(_ kind: FunctionDescription.Kind, _ name: String) -> Bool

    /// True if calls for the session can be forwarded to its bridge now. Otherwise this bridge answers them, with an error
    /// that names the session's bridge.
    func takesCalls(for session: Session) -> Bool

    /// Forwards a mutation or an action to the session's bridge, which decides whether it is allowed. Calls `finish` once,
    /// immediately or later, unless this bridge ends before.
    func forward(_ call: ForwardedCall, then finish: @escaping @LoopActor (QueryOutcome) -> Void)

    /// The bridges on which clients of this bridge can begin sessions.
    var places: [BridgePlace] { get }

    /// Forwards an action to the bridge that it names, which decides whether it is allowed. Calls `finish` once, immediately
    /// or later, unless this bridge ends before.
    func forward(_ call: BridgeCall, then finish: @escaping @LoopActor (QueryOutcome) -> Void)

    /// Gets the `profiles` of another bridge's `agents:list`: a JSON array. Calls `finish` once, immediately or later.
    func profiles(of bridge: String, then finish: @escaping @LoopActor (QueryOutcome) -> Void)

    /// Gets the open requests of the bridges' agents: those that a client of this tenant sees, or all without a tenant.
    /// Calls `finish` once, immediately or later. None of a bridge that cannot be reached.
    func pending(_ lists: [PendingList], tenant: String?, then finish: @escaping @LoopActor ([PendingRow]) -> Void)

    /// Gets the last known record of a session of another bridge, or none, without waiting for that bridge. Calls `finish` once,
    /// immediately or later.
    func knownRecord(of sid: Int64, then finish: @escaping @LoopActor ([SessionRecord]) -> Void)

    /// Gets what the sessions of each bridge have used on the days that begin at these times. Calls `finish` once, immediately or
    /// after some seconds at most.
    func usage(starts: [Int64], then finish: @escaping @LoopActor ([UsageOfOthers]) -> Void)
}
