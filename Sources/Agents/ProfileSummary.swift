import JSONScan

/// An agent that can be started by name, in the form of `agents:list`.
package struct ProfileSummary: Sendable {
    package var name: String
    package var title: String
    package var command: [String]
    /// True if the agent's program is found in the bridge's environment.
    package var isInstalled: Bool
    package var homepage: String?
    /// How to install the agent, in one sentence.
    package var install: String?

    package init(
        name: String, title: String, command: [String], isInstalled: Bool, homepage: String?, install: String?
    ) {
        self.name = name
        self.title = title
        self.command = command
        self.isInstalled = isInstalled
        self.homepage = homepage
        self.install = install
    }

    /// The agent that comes with acpbridge, for trials.
    private static let demo = "demo"

    /// The name of the only installed agent; the demo agent counts only if there is no other. Nil if there are several.
    static func only(of profiles: [ProfileSummary]) -> String? {
        let installed = profiles.filter(\.isInstalled).map(\.name)
        let others = installed.filter { $0 != demo }
        let names = others.isEmpty ? installed : others
        return names.count == 1 ? names[0] : nil
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("name", name)
        writer.member("title", title)
        writer.memberArray("command") { for word in command { $0.element(word) } }
        writer.member("installed", isInstalled)
        writer.member("homepage", ifPresent: homepage)
        writer.member("install", ifPresent: install)
    }
}
