import ArgumentParsing
import Invocations

/// The options of `serve` that the configuration file and the environment can set, too.
package enum ServeSettings {
    /// The options that only the command line has.
    private static let commandLineOnly = ["config", "replace", "on-demand"]

    /// In the order of the help page. The name of an option is its key in the file.
    package static let all = Subcommand.serve.visibleOptions.filter {
        !$0.isCommon && !commandLineOnly.contains($0.name)
    }

    /// Returns whether the setting exists and accepts the text.
    package static func accepts(_ written: WrittenOption) -> Bool { Subcommand.serve.accepts(written) }

    /// Reads a command line of `serve`. Checks each value, but not the combination of options.
    ///
    /// - Parameter words: The arguments after `serve`.
    package static func written(in words: [String]) throws(UsageError) -> [WrittenOption] {
        let written = try Subcommand.serve.written(words[...])
        // The environment and the file can have a password. The command line cannot: other users can read it.
        if written.contains(where: { $0.name == "hub" && HubAddress(argument: $0.text)?.hasPassword == true }) {
            throw .passwordOnCommandLine(topic: .acpbridge(.serve))
        }
        return written
    }

    /// - Throws: `UsageError` for settings that exclude or require each other.
    package static func options(_ written: [WrittenOption]) throws(UsageError) -> ServeOptions {
        let flags = Subcommand.serve.options.filter { $0.valueName == nil }.map(\.name)
        let words = written.map { flags.contains($0.name) ? "--\($0.name)" : "--\($0.name)=\($0.text)" }
        guard case .serve(let options) = try Subcommand.serve.parse(words[...], .serve) else { return ServeOptions() }
        return options
    }
}
