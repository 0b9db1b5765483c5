import ACPBase
import ACPClientServices
import ACPConnection
import ACPNextEdits
import ACPSessions

extension ACP.Method {
    /// All methods of version 1.
    public static let all: [ACP.Method] = agentMethods + clientMethods + sharedMethods

    private static let agentMethods: [ACP.Method] = [
        .request(.initialize, ACP.Agent.InitializeRequest.self),
        .request(.authenticate, ACP.Agent.AuthenticateRequest.self),
        .request(.logout, ACP.Agent.LogoutRequest.self),
        .request(.sessionNew, ACP.Agent.SessionNewRequest.self),
        .request(.sessionLoad, ACP.Agent.SessionLoadRequest.self),
        .request(.sessionResume, ACP.Agent.SessionResumeRequest.self),
        .request(.sessionFork, ACP.Agent.SessionForkRequest.self),
        .request(.sessionList, ACP.Agent.SessionListRequest.self),
        .request(.sessionClose, ACP.Agent.SessionCloseRequest.self),
        .request(.sessionDelete, ACP.Agent.SessionDeleteRequest.self),
        .request(.sessionSetMode, ACP.Agent.SessionSetModeRequest.self),
        .request(.sessionSetConfigOption, ACP.Agent.SessionSetConfigOptionRequest.self),
        .request(.sessionPrompt, ACP.Agent.SessionPromptRequest.self),
        .notification(.sessionCancel, ACP.Agent.SessionCancelNotification.self),
        .request(.providersList, ACP.Agent.ProvidersListRequest.self),
        .request(.providersSet, ACP.Agent.ProvidersSetRequest.self),
        .request(.providersDisable, ACP.Agent.ProvidersDisableRequest.self),
        .request(.nesStart, ACP.Agent.NesStartRequest.self),
        .request(.nesSuggest, ACP.Agent.NesSuggestRequest.self),
        .request(.nesClose, ACP.Agent.NesCloseRequest.self),
        .notification(.nesAccept, ACP.Agent.NesAcceptNotification.self),
        .notification(.nesReject, ACP.Agent.NesRejectNotification.self),
        .notification(.documentDidOpen, ACP.Agent.DocumentDidOpenNotification.self),
        .notification(.documentDidChange, ACP.Agent.DocumentDidChangeNotification.self),
        .notification(.documentDidClose, ACP.Agent.DocumentDidCloseNotification.self),
        .notification(.documentDidSave, ACP.Agent.DocumentDidSaveNotification.self),
        .notification(.documentDidFocus, ACP.Agent.DocumentDidFocusNotification.self),
    ]

    private static let clientMethods: [ACP.Method] = [
        .notification(.sessionUpdate, ACP.Client.SessionNotification.self),
        .request(.sessionRequestPermission, ACP.Client.SessionRequestPermissionRequest.self),
        .request(.fsReadTextFile, ACP.Client.FsReadTextFileRequest.self),
        .request(.fsWriteTextFile, ACP.Client.FsWriteTextFileRequest.self),
        .request(.terminalCreate, ACP.Client.TerminalCreateRequest.self),
        .request(.terminalOutput, ACP.Client.TerminalOutputRequest.self),
        .request(.terminalWaitForExit, ACP.Client.TerminalWaitForExitRequest.self),
        .request(.terminalKill, ACP.Client.TerminalKillRequest.self),
        .request(.terminalRelease, ACP.Client.TerminalReleaseRequest.self),
        .request(.elicitationCreate, ACP.Client.ElicitationCreateRequest.self),
        .notification(.elicitationComplete, ACP.Client.ElicitationCompleteNotification.self),
        .request(.mcpConnect, ACP.Client.McpConnectRequest.self),
        .request(.mcpDisconnect, ACP.Client.McpDisconnectRequest.self),
    ]

    private static let sharedMethods: [ACP.Method] = [
        .notification(.cancelRequest, ACP.CancelRequestNotification.self),
        .request(.mcpMessage, ACP.McpMessageRequest.self),
        .notification(.mcpMessage, ACP.McpMessageNotification.self),
    ]
}
