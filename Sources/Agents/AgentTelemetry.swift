import AgentProcess

/// The variables by which an agent sends its own telemetry to a collector. Pure.
///
/// Source: ACP's RFD "Agent Telemetry Export", and the OpenTelemetry specification of the OTLP exporter.
package struct AgentTelemetry: Sendable, Equatable {
    /// The collector's base URL, without credentials: `http://127.0.0.1:4318`.
    private let endpoint: String

    package init(endpoint: String) { self.endpoint = endpoint }

    /// Adds the variables, unless the environment has any variable of OpenTelemetry: then the user has chosen, and the
    /// settings would not fit each other.
    ///
    /// - Parameter agent: The agent's name in lists.
    func adding(to environment: [SystemString], agent: String) -> [SystemString] {
        guard !environment.contains(where: { $0.bytes.starts(with: "OTEL_".utf8) }) else { return environment }
        return environment + [
            SystemString("OTEL_EXPORTER_OTLP_ENDPOINT=\(endpoint)"), "OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf",
            SystemString("OTEL_SERVICE_NAME=\(agent.filter { $0 != "\0" })"),
        ]
    }
}
