import BridgeRequests
import CommandContext
import Invocations
import TerminalIO

/// Finds the session that a person means. At a terminal, the person is asked if more than one can be meant.
package struct SessionChoice: Sendable {
    private let client: CommandClient
    private let folderName: FolderName

    package init(_ client: CommandClient, _ folderName: FolderName) {
        (self.client, self.folderName) = (client, folderName)
    }

    /// Returns nil if the person left without a choice.
    ///
    /// - Parameters:
    ///   - name: The session as the person names it; nil if it is not named.
    ///   - isRunning: The session must run.
    package func session(_ name: String?, isRunning: Bool) async throws -> ListedSession? {
        do {
            guard name == nil, TerminalMenu.isAvailable, try await hasSeveral() else {
                return try await isRunning
                    ? client.runningSession(name ?? "latest") : client.session(name ?? "latest")
            }
            return try await SessionPicker(client, folderName).choose()
        } catch let failure as Failure where failure.status == Failure.unknownSession {
            // A part of a title, or the beginning of several ids.
            guard let name, TerminalMenu.isAvailable, try await isPart(name) else { throw failure }
            return try await SessionPicker(client, folderName, filter: name).choose()
        }
    }

    private func hasSeveral() async throws -> Bool {
        try await client.runningSessions(limit: SessionRing.limit).count { $0.parentId == nil } > 1
    }

    /// A running session has this text in its row of the list.
    private func isPart(_ name: String) async throws -> Bool {
        let sessions = try await client.runningSessions(limit: SessionRing.limit)
        var menu = PickerRows(folderName).menu(filter: name, chosen: nil)
        menu.set(PickerRows(folderName).rows(sessions, PendingCounts(), now: 0))
        return menu.hasMatch
    }
}
