import Access
import EventLoop
import Functions
import Hub
import HubSharing
import JSONScan
import Posix
import SessionRecords
import SessionStreams
import Tinyvex

/// Calls of this bridge's clients for sessions of other bridges.
extension Bridge {
    package func forward(_ call: ForwardedCall, then finish: @escaping @LoopActor (QueryOutcome) -> Void) {
        guard let forwarder = logCare.forwarder, let session = HubSid(call.sid),
            let id = RandomText.hexadecimal(byteCount: 16)
        else { return finish(.failure(CommandFault.refused(.none).rejection(of: call))) }
        audit.record(
            .called(function: call.name, .init(agent: call.agent, sessionId: call.sessionId)), by: call.identity)
        let command = BridgeCommand(
            id: id, session: session, tenant: call.identity.tenant,
            who: String(call.identity.who.unicodeScalars.prefix(Self.whoScalars)),
            token: call.identity.shownToken?.text, kind: call.kind == .mutation ? .mutation : .action, name: call.name,
            arguments: call.arguments, requestId: call.requestId)
        forwarder.send(command) { result in
            switch result {
            case .success(let body):
                finish(
                    ForwardedOutcome(text: body)?.outcome
                        ?? .failure(
                            Rejection(
                                .mutationFailed, "the answer of bridge \(quoted(call.home.bridge)) cannot be read",
                                rpcCode: .internalError)))
            case .failure(let fault): finish(.failure(fault.rejection(of: call)))
            }
        }
    }

    /// A scalar has up to four bytes in UTF-8.
    private static let whoScalars = BridgeCommand.whoLimitBytes / 4

    package func requestsOfOthers(
        tenant: String?, then finish: @escaping @LoopActor ([RequestsOfOthers]) -> Void
    ) {
        guard let log = logCare.hubLog else { return finish([]) }
        log.openRequests(of: tenant) { result in
            let found = (try? result.get()) ?? []
            finish(
                found.map {
                    RequestsOfOthers(
                        sid: $0.session.sid, sessionId: $0.sessionId, bridge: $0.bridge, body: $0.body)
                })
        }
    }
}

extension CommandFault {
    fileprivate func rejection(of call: ForwardedCall) -> Rejection {
        let bridge = quoted(call.home.bridge)
        let place = "session \(quoted(call.sessionId)) is at bridge \(bridge)"
        return switch self {
        case .unreachable:
            Rejection(
                .mutationFailed, "\(place), which cannot be reached now; nothing was changed", rpcCode: .internalError)
        case .tooSlow:
            Rejection(
                .mutationFailed,
                "bridge \(bridge) did not take the request within \(BridgeCommand.lifeSeconds) s; nothing was changed",
                rpcCode: .internalError)
        case .refused(.jwt):
            Rejection(
                .readOnly,
                "\(place), which accepts requests from other bridges only with a token (JWT) of an issuer that it knows",
                rpcCode: .invalidRequest)
        case .refused:
            Rejection(
                .readOnly,
                "\(place), which accepts no requests from other bridges; use that one, or set its `--hub-commands`",
                rpcCode: .invalidRequest)
        case .unknownBridge:
            Rejection(.sessionNotFound, "the hub no longer has bridge \(bridge) of session \(quoted(call.sessionId))")
        case .readOnly:
            Rejection(
                .readOnly, "\(place), and the hub of this bridge is a read-only replica, so use that bridge",
                rpcCode: .invalidRequest)
        case .noRight:
            Rejection(
                .readOnly,
                "\(place), and this bridge's user of the hub cannot send requests; `acpbridge hub migrate` sets the rights",
                rpcCode: .invalidRequest)
        case .limitExceeded:
            Rejection(
                .limitExceeded,
                "\(SentCommands.countLimit) requests to other bridges wait for answers, or the request is longer than "
                    + "\(BridgeCommand.argumentsLimitBytes) bytes", rpcCode: .invalidRequest)
        case .failed(let error):
            Rejection(
                .mutationFailed, "the hub could not be used, and nothing was changed: \(error)",
                rpcCode: .internalError)
        case .unknown:
            Rejection(
                .timeout, "it is not known whether bridge \(bridge) has carried out the request",
                rpcCode: .internalError)
        }
    }
}

/// Performs the commands that viewers have for the sessions of this bridge. The bridge decides who may.
@LoopActor struct ReceivedCommands {
    let policy: CommandPolicy
    let functions: Functions
    let registry: SessionRegistry
    let authenticator: Authenticator
    let services: LoopServices

    /// Calls `answer` once, with the outcome.
    func perform(_ received: ReceivedCommand, then answer: @escaping HubCommands.Answer) {
        identify(received, isRepeated: false) { identity in
            switch identity {
            case .failure(let rejection): answer(Self.text(.failure(rejection)))
            case .success(let identity):
                run(received.command, for: identity) { result in
                    answer(Self.text(result.map(\.result)))
                    if case .success(let response) = result { response.afterwards() }
                }
            }
        }
    }

    private static func text(_ outcome: QueryOutcome) -> [UInt8] {
        ForwardedOutcome(outcome).text(limitBytes: CommandAnswer.limitBytes)
    }

    // MARK: Rights

    /// - Parameter isRepeated: the keys of the token's issuer have been waited for.
    private func identify(
        _ received: ReceivedCommand, isRepeated: Bool,
        then action: @escaping @LoopActor (Result<Identity, Rejection>) -> Void
    ) {
        let command = received.command
        switch policy {
        case .none: action(.failure(Self.refusal("this bridge accepts no requests from other bridges")))
        case .all:
            // The hub has checked the tenant: it follows from the database user of the viewer.
            action(
                .success(
                    Identity(who: "hub \(received.sender): \(command.who)", role: .control, tenant: command.tenant)))
        case .jwt:
            switch command.token.map({ authenticator.checkIssued($0) }) ?? .unknown {
            case .unsettled where !isRepeated:
                services.timers.schedule(after: .seconds(Authenticator.keySetPatience)) {
                    identify(received, isRepeated: true, then: action)
                }
            case .unsettled, .unknown:
                action(
                    .failure(
                        Self.refusal("the session's bridge does not accept the token (JWT) of this request")))
            case .known(let identity): action(Self.narrowed(identity, to: command.tenant))
            }
        }
    }

    /// Returns the identity for the viewer's tenant: a token of another tenant opens nothing through it.
    private static func narrowed(_ identity: Identity, to tenant: String?) -> Result<Identity, Rejection> {
        guard let tenant, tenant != identity.tenant else { return .success(identity) }
        guard identity.tenant == nil else { return .failure(refusal("the token is of another tenant")) }
        return .success(
            Identity(who: identity.who, role: identity.role, tenant: tenant, expiresTs: identity.expiresTs))
    }

    private static func refusal(_ message: String) -> Rejection {
        Rejection(.readOnly, message, rpcCode: .invalidRequest)
    }

    // MARK: Calls

    /// Runs the call if it is about the session that the command is for. The hub has checked that the sender sees this
    /// session.
    private func run(_ command: BridgeCommand, for identity: Identity, then finish: @escaping CompletionHandler) {
        let kind: FunctionDescription.Kind = command.kind == .mutation ? .mutation : .action
        do throws(Rejection) {
            guard ForwardedCall.isForwardable(kind, command.name) else {
                throw Rejection.unknownFunction(kind, command.name)
            }
            let value = try? JSONValue(validating: command.arguments)
            let arguments = Parameters(value)
            let reference = try SessionReference(arguments)
            let journal = reference.journal.flatMap(Journal.init)
            guard arguments.value("pid") == nil, let journal, HubSid(journal) == command.session else {
                throw SessionRegistry.unknown(reference)
            }
            registry.find(reference, of: identity.tenant) { found in
                switch found {
                case .failure(let rejection): finish(.failure(rejection))
                case .success(let session) where session.home != nil:
                    // A command goes to the bridge of its session, and from there nowhere.
                    finish(.failure(SessionRegistry.unknown(reference)))
                case .success:
                    let call = CallRequest(requestId: command.requestId, name: command.name, arguments: arguments)
                    switch command.kind {
                    case .mutation: functions.mutate(call, for: identity, then: finish)
                    case .action: functions.act(call, for: identity, then: finish)
                    }
                }
            }
        } catch {
            finish(.failure(error))
        }
    }
}
