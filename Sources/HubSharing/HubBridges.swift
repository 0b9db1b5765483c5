import EventLoop
import Functions
import Hub
import LiveQueries
import Posix
import SessionRecords
import SessionStreams
import Tinyvex

/// The other bridges of a hub: forwards calls of this bridge's clients to them, and reads their open requests.
@LoopActor package final class HubBridges: OtherBridges {
    private let forwarder: HubForwarder
    private let log: HubLog

    package init(_ forwarder: HubForwarder, _ log: HubLog) {
        self.forwarder = forwarder
        self.log = log
    }

    package func forwards(_ kind: FunctionDescription.Kind, _ name: String) -> Bool {
        ForwardedCall.isForwardable(kind, name)
    }

    /// True also if the bridge cannot be reached: the answer has the reason of a refusal.
    package func takesCalls(for session: Session) -> Bool { true }

    package func forward(_ call: ForwardedCall, then finish: @escaping @LoopActor (QueryOutcome) -> Void) {
        guard let session = HubSid(call.sid), let id = RandomText.hexadecimal(byteCount: 16) else {
            return finish(.failure(CommandFault.refused(.none).rejection(of: call)))
        }
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

    /// The hub passes requests for sessions that it has.
    package var places: [BridgePlace] { [] }

    package func forward(_ call: BridgeCall, then finish: @escaping @LoopActor (QueryOutcome) -> Void) {
        finish(.failure(Self.noBegin(call.bridge)))
    }

    package func profiles(of bridge: String, then finish: @escaping @LoopActor (QueryOutcome) -> Void) {
        finish(.failure(Self.noBegin(bridge)))
    }

    private static func noBegin(_ bridge: String) -> Rejection {
        Rejection(
            .readOnly,
            "a hub does not pass requests that begin sessions; begin it at bridge \(quoted(bridge)) itself: "
                + "`acpbridge run --url URL`", rpcCode: .invalidRequest)
    }

    /// A scalar has up to four bytes in UTF-8.
    private static let whoScalars = BridgeCommand.whoLimitBytes / 4

    package func usage(starts: [Int64], then finish: @escaping @LoopActor ([UsageOfOthers]) -> Void) {
        finish([UsageOfOthers(bridge: "hub", .unknown(reason: "a hub has no usage by day"))])
    }

    package func knownRecord(of sid: Int64, then finish: @escaping @LoopActor ([SessionRecord]) -> Void) {
        log.read(.incarnation(sid: sid)) { answer in
            if case .sessions(let records) = answer { finish(records) } else { finish([]) }
        }
    }

    /// None if the hub cannot be read.
    package func pending(
        _ lists: [PendingList], tenant: String?, then finish: @escaping @LoopActor ([PendingRow]) -> Void
    ) {
        log.openRequests(of: tenant) { result in
            let found = (try? result.get()) ?? []
            finish(
                found.flatMap { requests in
                    let others = RequestsOfOthers(
                        sid: requests.session.sid, sessionId: requests.sessionId, bridge: requests.bridge,
                        body: requests.body)
                    return lists.flatMap { others.rows($0) }
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
