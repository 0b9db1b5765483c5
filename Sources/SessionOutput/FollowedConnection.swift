import BridgeRequests
import Glibc
import TerminalIO
import TerminalText
import TinyvexSync

/// The two ends between which streams are printed: the connection to the bridge, and the reader of stdout.
struct FollowedConnection: Sendable {
    private let client: CommandClient
    private let report: @Sendable (TerminalText) throws -> Void

    /// - Parameter report: Shows a message between the printed lines.
    init(_ client: CommandClient, report: @escaping @Sendable (TerminalText) throws -> Void) {
        (self.client, self.report) = (client, report)
    }

    /// Detects that the output's reader has closed it: `| head -3` must not wait for the session's next update.
    func watchReader() async throws -> Bool {
        if await client.loop.wait(for: 0, on: STDOUT_FILENO) { throw Console.WriteError.readerClosed }
        return false
    }

    /// Reports a lost connection, and gives up if the bridge was stopped and does not come back.
    func watch() async throws -> Bool {
        var connection = LostConnection()
        for await state in client.sync.connectionStates() {
            switch state {
            case .waiting(_, let reason):
                switch connection.lost(reason, at: .now) {
                case .wait: break
                case .report: try report("acpbridge: the connection was lost; reconnecting")
                case .giveUp: throw client.failure(.transport(reason))
                }
            case .connected: connection.connected()
            default: break
            }
        }
        return false
    }
}
