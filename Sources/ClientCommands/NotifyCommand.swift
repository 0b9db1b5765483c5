import BridgeRequests
import CommandContext
import Invocations
import JSONScan
import TerminalIO
import TerminalText

/// `acpbridge notify`: makes the bridge send a notification to every target, or lists the push registrations.
package struct NotifyCommand {
    private let context: ProcessContext

    package init(_ context: ProcessContext) { self.context = context }

    package func run(_ options: NotifyOptions) throws {
        switch options.action {
        case .test: try test(options)
        case .list: try list(options)
        }
    }

    private func test(_ options: NotifyOptions) throws {
        let access = try BridgeAccess(options.connection, context: context)
        let answer = try access.withClient(starting: true) { try await $0.action("notifications:test") }
        let results = answer?["results"]?.elements ?? []
        for result in results {
            if options.json {
                try Console.printRecord(result.rawText)
            } else {
                let name = result["target"]?.stringValue ?? "-"
                try Console.print("\(name): \(result["error"]?.stringValue ?? "delivered")")
            }
        }
        guard !results.contains(where: { $0["delivered"]?.boolValue != true }) else {
            throw Failure(message: "not every notification was delivered")
        }
        if results.isEmpty {
            Console.report("There is no destination: no page, app or webhook is registered for notifications yet.")
        }
    }

    private func list(_ options: NotifyOptions) throws {
        let access = try BridgeAccess(options.connection, context: context)
        let answer = try access.withClient(starting: true) { try await $0.value("push:list") }
        let rows = answer["data"]?.elements ?? []
        for row in rows {
            if options.json {
                try Console.printRecord(row.rawText)
            } else {
                let texts = ["id", "type", "server", "topic", "environment", "tenant"].compactMap {
                    row[$0]?.stringValue
                }
                let events = row["events"]?.elements.compactMap(\.stringValue) ?? []
                try Console.print("\((texts + events).joined(separator: " "))")
            }
        }
        if rows.isEmpty, !options.json { Console.report("No page, app or webhook is registered for notifications.") }
    }
}
