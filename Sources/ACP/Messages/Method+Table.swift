extension ACP.Method {
    /// All methods of version 1.
    public static let all: [ACP.Method] = agentMethods + clientMethods + sharedMethods

    private static let agentMethods: [ACP.Method] = [
        .request(ACP.Agent.InitializeRequest.self, by: .agent),
        .request(ACP.Agent.AuthenticateRequest.self, by: .agent),
        .request(ACP.Agent.LogoutRequest.self, by: .agent),
        .request(ACP.Agent.SessionNewRequest.self, by: .agent),
        .request(ACP.Agent.SessionLoadRequest.self, by: .agent),
        .request(ACP.Agent.SessionResumeRequest.self, by: .agent),
        .request(ACP.Agent.SessionForkRequest.self, by: .agent, .unstable),
        .request(ACP.Agent.SessionListRequest.self, by: .agent),
        .request(ACP.Agent.SessionCloseRequest.self, by: .agent),
        .request(ACP.Agent.SessionDeleteRequest.self, by: .agent),
        .request(ACP.Agent.SessionSetModeRequest.self, by: .agent),
        .request(ACP.Agent.SessionSetConfigOptionRequest.self, by: .agent),
        .request(ACP.Agent.SessionPromptRequest.self, by: .agent),
        .notification(ACP.Agent.SessionCancelNotification.self, by: .agent),
        .request(ACP.Agent.ProvidersListRequest.self, by: .agent, .unstable),
        .request(ACP.Agent.ProvidersSetRequest.self, by: .agent, .unstable),
        .request(ACP.Agent.ProvidersDisableRequest.self, by: .agent, .unstable),
        .request(ACP.Agent.NesStartRequest.self, by: .agent, .unstable),
        .request(ACP.Agent.NesSuggestRequest.self, by: .agent, .unstable),
        .request(ACP.Agent.NesCloseRequest.self, by: .agent, .unstable),
        .notification(ACP.Agent.NesAcceptNotification.self, by: .agent, .unstable),
        .notification(ACP.Agent.NesRejectNotification.self, by: .agent, .unstable),
        .notification(ACP.Agent.DocumentDidOpenNotification.self, by: .agent, .unstable),
        .notification(ACP.Agent.DocumentDidChangeNotification.self, by: .agent, .unstable),
        .notification(ACP.Agent.DocumentDidCloseNotification.self, by: .agent, .unstable),
        .notification(ACP.Agent.DocumentDidSaveNotification.self, by: .agent, .unstable),
        .notification(ACP.Agent.DocumentDidFocusNotification.self, by: .agent, .unstable),
    ]

    private static let clientMethods: [ACP.Method] = [
        .notification(ACP.Client.SessionNotification.self, by: .client),
        .request(ACP.Client.SessionRequestPermissionRequest.self, by: .client),
        .request(ACP.Client.FsReadTextFileRequest.self, by: .client),
        .request(ACP.Client.FsWriteTextFileRequest.self, by: .client),
        .request(ACP.Client.TerminalCreateRequest.self, by: .client),
        .request(ACP.Client.TerminalOutputRequest.self, by: .client),
        .request(ACP.Client.TerminalWaitForExitRequest.self, by: .client),
        .request(ACP.Client.TerminalKillRequest.self, by: .client),
        .request(ACP.Client.TerminalReleaseRequest.self, by: .client),
        .request(ACP.Client.ElicitationCreateRequest.self, by: .client),
        .notification(ACP.Client.ElicitationCompleteNotification.self, by: .client),
        .request(ACP.Client.McpConnectRequest.self, by: .client, .unstable),
        .request(ACP.Client.McpDisconnectRequest.self, by: .client, .unstable),
    ]

    private static let sharedMethods: [ACP.Method] = [
        .notification(ACP.CancelRequestNotification.self, by: .both),
        .request(ACP.McpMessageRequest.self, by: .both, .unstable),
        .notification(ACP.McpMessageNotification.self, by: .both, .unstable),
    ]
}
