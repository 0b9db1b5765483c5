import Access
import EventLoop
import Functions
import Hub
import HubSharing
import JSONScan
import LiveQueries
import Posix
import SessionRecords
import SessionStreams
import Tinyvex

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
