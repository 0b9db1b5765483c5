import ACPBase
import ACPVersion2

extension ACP.Method {
    /// The stable methods of version 2.
    static let version2: [ACP.Method] = version2AgentMethods + version2ClientMethods + version2SharedMethods

    private static let version2AgentMethods: [ACP.Method] = [
        .request(.initialize, ACP.V2.Agent.InitializeRequest.self),
        .request(.authLogin, ACP.V2.Agent.AuthLoginRequest.self),
        .request(.authLogout, ACP.V2.Agent.AuthLogoutRequest.self),
        .request(.sessionNew, ACP.V2.Agent.SessionNewRequest.self),
        .request(.sessionResume, ACP.V2.Agent.SessionResumeRequest.self),
        .request(.sessionList, ACP.V2.Agent.SessionListRequest.self),
        .request(.sessionClose, ACP.V2.Agent.SessionCloseRequest.self),
        .request(.sessionDelete, ACP.V2.Agent.SessionDeleteRequest.self),
        .request(.sessionSetConfigOption, ACP.V2.Agent.SessionSetConfigOptionRequest.self),
        .request(.sessionPrompt, ACP.V2.Agent.SessionPromptRequest.self),
        .notification(.sessionCancel, ACP.V2.Agent.SessionCancelNotification.self),
        .request(.toolCallCancel, ACP.V2.Agent.ToolCallCancelRequest.self),
        .request(.terminalCancel, ACP.V2.Agent.TerminalCancelRequest.self),
    ]

    private static let version2ClientMethods: [ACP.Method] = [
        .notification(.sessionUpdate, ACP.V2.Client.SessionNotification.self),
        .request(.sessionRequestPermission, ACP.V2.Client.SessionRequestPermissionRequest.self),
        .request(.elicitationCreate, ACP.V2.Client.ElicitationCreateRequest.self),
        .notification(.elicitationComplete, ACP.V2.Client.ElicitationCompleteNotification.self),
    ]

    private static let version2SharedMethods: [ACP.Method] = [
        .notification(.cancelRequest, ACP.CancelRequestNotification.self)
    ]
}
