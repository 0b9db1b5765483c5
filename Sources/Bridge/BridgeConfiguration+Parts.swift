import Agents
import FileStore
import HTTPServing

// The configuration of each part.

extension AgentPool.Settings {
    init(_ configuration: BridgeConfiguration) {
        self.init(
            limit: configuration.limits.agents, startsAgents: configuration.startsAgents,
            permissionLimit: configuration.permissionLimit,
            permissionRules: configuration.permissionRules, processLimits: configuration.processLimits,
            coreLimit: configuration.coreLimit, withholdsHub: configuration.hub != nil,
            telemetry: configuration.agentTelemetry, ownsDescendants: true,
            profiles: configuration.profiles, agentNamed: configuration.agentNamed)
    }
}

extension FileLimits {
    init(_ configuration: BridgeConfiguration) {
        self.init()
        fileBytes = configuration.limits.fileBytes
        totalBytes = configuration.limits.filesBytes
    }
}

extension HTTPServer.Settings {
    init(_ configuration: BridgeConfiguration) {
        self.init(
            limits: configuration.limits, compression: configuration.compression,
            allowedOrigins: configuration.allowedOrigins, usesTLS: configuration.certificate != nil,
            publicAddress: configuration.publicAddress, forwardedFor: configuration.forwardedFor)
    }
}

extension Upgrader.Program {
    init(_ configuration: BridgeConfiguration) {
        arguments = configuration.arguments
        environment = configuration.environment
        coreLimit = configuration.coreLimit
        issuers = configuration.issuers
    }
}
