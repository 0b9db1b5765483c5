import AgentProcess
import Testing

@testable import Agents

@Suite struct AgentTelemetryTests {
    private let telemetry = AgentTelemetry(endpoint: "http://127.0.0.1:4318")

    @Test func anAgentGetsTheCollectorAndItsName() {
        #expect(
            telemetry.adding(to: ["PATH=/bin"], agent: "codex") == [
                "PATH=/bin", "OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318",
                "OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf", "OTEL_SERVICE_NAME=codex",
            ])
    }

    @Test(arguments: ["OTEL_SDK_DISABLED=true", "OTEL_EXPORTER_OTLP_ENDPOINT=", "OTEL_SERVICE_NAME=mine"])
    func theUsersOwnVariablesRemainAlone(variable: SystemString) {
        #expect(telemetry.adding(to: [variable, "A=1"], agent: "codex") == [variable, "A=1"])
    }

    @Test func anAgentWithoutTelemetryGetsNoVariables() {
        let request = LaunchRequest(
            agent: "codex", command: ["codex"], directory: "/", environment: ["A=1"], fileModeMask: 0, openFilesLimit: 1
        )
        func environment(_ telemetry: AgentTelemetry?) -> [SystemString] {
            AgentPool.Settings(limit: 1, permissionLimit: nil, coreLimit: nil, telemetry: telemetry) {
                (name) throws(AgentUnavailable) in throw AgentUnavailable(name)
            }.environment(of: request)
        }
        #expect(environment(nil) == ["A=1"])
        #expect(environment(telemetry).count == 4)
    }
}
