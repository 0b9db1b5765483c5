/// The one process that ships a log.
package struct HubWriter: Sendable, Equatable {
    /// Three renewals can be late before the lease ends.
    package static let leaseSeconds: Int64 = 15
    package static let renewalPause = Duration.seconds(5)

    package let logId: Int64
    /// The bridge's name in lists: the name of its machine.
    package let name: String
    package let version: String
    /// Identifies the process. A program that replaces another one in the same process has the same text.
    package let instance: String
    /// The commands that the bridge accepts from viewers.
    package let commands: CommandPolicy

    package init(logId: Int64, name: String, version: String, instance: String, commands: CommandPolicy = .none) {
        self.logId = logId
        self.name = name
        self.version = version
        self.instance = instance
        self.commands = commands
    }
}
