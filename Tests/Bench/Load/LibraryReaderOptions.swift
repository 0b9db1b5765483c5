/// The options that the benchmark passes to the program that reads with TinyvexClient.
package struct LibraryReaderOptions: Equatable {
    /// The path of the bridge's socket.
    package var socket = ""
    /// The number of the benchmark agent's sessions that it subscribes to, on one connection.
    package var sessions = 1
    /// The number of updates over all sessions. After that, it prints its results.
    package var lines = 1

    package init() {}

    /// These options as command-line arguments.
    package var arguments: [String] {
        ["--socket", socket, "--sessions", String(sessions), "--lines", String(lines)]
    }
}
