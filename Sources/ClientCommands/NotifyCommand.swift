import BridgeRequests
import CLI
import CommandContext
import JSONScan
import TerminalIO
import TerminalText

/// `acpbridge notify test`: makes the bridge send a notification to every target.
package struct NotifyCommand {
    private let context: ProcessContext

    package init(_ context: ProcessContext) { self.context = context }

    package func run(_ options: NotifyOptions) throws {
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
        if results.isEmpty { Console.report("There is no destination: no page has asked for notifications yet.") }
    }
}
