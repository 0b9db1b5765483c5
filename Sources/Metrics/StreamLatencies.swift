/// The latencies of all sessions' data, for `/metrics`.
package struct StreamLatencies: Sendable {
    /// From the submission of data to the log until the log has stored it.
    package var append = Histogram.ofLatencies
    /// From the read of an agent's output until its frames were passed to the sockets of the readers at the end.
    package var delivery = Histogram.ofLatencies

    package init() {}
}
