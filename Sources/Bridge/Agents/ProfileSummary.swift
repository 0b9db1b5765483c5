import JSONScan

/// An agent that can be started by name, as `agents:list` tells of it.
public struct ProfileSummary: Sendable {
    public var name: String
    public var title: String
    public var command: [String]
    /// Its program is found from where the bridge runs.
    public var isInstalled: Bool
    public var homepage: String?
    /// How to get it, in one sentence.
    public var install: String?

    public init(
        name: String, title: String, command: [String], isInstalled: Bool, homepage: String?, install: String?
    ) {
        self.name = name
        self.title = title
        self.command = command
        self.isInstalled = isInstalled
        self.homepage = homepage
        self.install = install
    }

    public func write(to writer: inout JSONWriter) {
        writer.member("name", name)
        writer.member("title", title)
        writer.memberArray("command") { for word in command { $0.element(word) } }
        writer.member("installed", isInstalled)
        writer.member("homepage", ifPresent: homepage)
        writer.member("install", ifPresent: install)
    }
}
