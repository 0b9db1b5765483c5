import Access
import Agents
import FileStore
import HTTPServing
import Posix

// The configuration of each part.

extension AgentPool.Settings {
    init(_ configuration: BridgeConfiguration) {
        self.init(
            limit: configuration.limits.agents, startsAgents: configuration.agents.areAllowed,
            permissionLimit: configuration.agents.permissionLimit,
            permissionRules: configuration.agents.permissionRules, processLimits: configuration.agents.processLimits,
            coreLimit: configuration.program.coreLimit, withholdsHub: configuration.sharing.hub != nil,
            telemetry: configuration.agents.telemetry, ownsDescendants: true,
            profiles: configuration.agents.profiles, agentNamed: configuration.agents.agentNamed)
    }
}

extension ConnectionCount {
    convenience init(_ limits: Limits) {
        self.init(
            limit: limits.connections, perAddress: limits.connectionsPerAddress,
            openFiles: ProcessFigures.currentDescriptorLimit(),
            heldLimitBytes: max(Self.leastHeldLimitBytes, 4 * limits.lineBytes))
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
            limits: configuration.limits, compression: configuration.access.compression,
            allowedOrigins: configuration.access.allowedOrigins, usesTLS: configuration.listening.certificate != nil,
            publicAddress: configuration.access.publicAddress, forwardedFor: configuration.access.forwardedFor)
    }
}

extension Upgrader.Program {
    init(_ configuration: BridgeConfiguration) {
        arguments = configuration.program.arguments
        environment = configuration.program.environment
        coreLimit = configuration.program.coreLimit
        issuers = configuration.access.issuers
    }
}
