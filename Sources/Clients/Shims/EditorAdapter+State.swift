import Agents
import JSONRPC
import Pipes

/// The hand-over state of an editor that has taken over an agent, or that can do so. At that time all data between the
/// editor and the bridge has arrived.
extension EditorAdapter {
    struct State: Codable {
        var input: Int32?
        var output: PipeWriter.State?
        /// Nil in the state of a bridge that closed this stream.
        var error: PipeWriter.State?
        var lines: LineSplitter
        /// Non-nil if the editor has not chosen an agent yet.
        var undecided: UndecidedEditor.State?
        /// The shim's ``LaunchRequest``, in the JSON form in which it was sent.
        var request: [UInt8]
        var link: RemoteClient.HandedOver
    }
}

extension ShimConnection.State {
    /// The descriptors that are handed over with this state.
    package var descriptors: [Int32] {
        [fd]
            + [editor?.input, editor?.output?.fd, editor?.error?.fd].compactMap(\.self)
    }
}
