/// The way in which the benchmark's own agent writes.
package struct AgentOptions: Equatable {
    /// The size of one update, including its LF. 200 bytes is common.
    package var lineBytes = 200
    /// Agents write 1 update per write. A higher number tests the bridge's own limit.
    package var linesPerWrite = 1
    /// Updates per second, or nil for as fast as possible. With a rate, each update contains the time of its write.
    package var rate: Int?

    package init() {}

    /// These options as command-line arguments.
    package var arguments: [String] {
        ["--size", String(lineBytes), "--per-write", String(linesPerWrite)]
            + (rate.map { ["--rate", String($0)] } ?? [])
    }
}
