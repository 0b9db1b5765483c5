// Types of other modules that this library's API uses, so that programs need no other import.

@_exported import ACP
import JSONCoding
import TinyvexMachine
import TinyvexSync
import TinyvexTransport

/// The state of a client's connection: `idle(because:)`, `connecting`, `connected`, `waiting(for:because:)` before the next
/// attempt, or `closed`. `because` is the error that ended the connection for good, or nil.
public typealias ConnectionState = TinyvexMachine.ConnectionState
/// The state of the connection, then each change, until the client is closed. A slow reader receives only the newest state.
public typealias ConnectionStates = TinyvexSync.ConnectionStates
/// The place at which received JSON did not fit the type: `path`, such as `data[0].createdAt`, and a `description` with the path.
public typealias DecodingFault = TinyvexMachine.DecodingFault
/// The address of a bridge, for ``SyncConfiguration``. A client is usually made with a URL; `Endpoint(_:)` parses the same forms
/// and throws an error that names the correct ones.
public typealias Endpoint = TinyvexTransport.Endpoint
/// The bridge's end of an ``InProcessTransport``: `receive()` returns the client's next message, `send(_:)` answers.
public typealias InProcessPeer = TinyvexSync.InProcessPeer
/// A transport for tests: the test plays the bridge. 256 KiB can wait in either direction before the writer has to wait.
///
///     let bridge = InProcessTransport { peer in
///         while let request = try? await peer.receive() { … }
///     }
public typealias InProcessTransport = TinyvexSync.InProcessTransport
/// A string with known values. Unknown values can arrive and keep their text.
public typealias OpenEnum = JSONCoding.OpenEnum
/// A JSON value with its unchanged text. `decode(as:)` reads it as a type.
public typealias RawJSON = JSONCoding.RawJSON
/// How a session ended: the `reason`, and `exitCode` or `signal` if its agent exited.
public typealias StreamEnd = TinyvexMachine.StreamEnd
/// The place at which a stream begins or continues: `nextSeq`, `headSeq`, up to which stored lines follow, and the `journal` to
/// store with the number of the last line that was applied.
public typealias StreamOpening = TinyvexMachine.StreamOpening
/// The updates that a bridge can drop or merge while a reader is slow: `.lossless`, `.latest`, `.thoughts` or `.merge`, and the
/// limits from which it does. Without a policy it drops nothing.
public typealias StreamPolicy = TinyvexMachine.StreamPolicy
/// The start of a stream: `.now`, or `.after(number, journal:)`. `.after(0)` is the beginning. The journal identifies the
/// incarnation of the session that the number is from; without it, the number is not checked.
public typealias StreamStart = TinyvexMachine.StreamStart
/// The endpoint, limits and times of a client, with defaults for an interactive program.
///
/// Unanswered calls of more than `callLimitBytes` (32 MiB) fail with `.overloaded`, and messages of more than
/// `messageLimitBytes` (16 MiB) with `.tooLarge`. `streamLimitBytes` (4 MiB) wait for the reader of a session's stream; the bridge
/// keeps the rest. `attemptsLimit` is nil: the client tries to connect until it is closed.
public typealias SyncConfiguration = TinyvexMachine.SyncConfiguration
/// Every error of the library: `server(code:message:data:)`, `decoding`, `encoding`, `transport`, `unauthorized`,
/// `outcomeUnknown`, `overloaded(limitBytes:)`, `tooLarge(limitBytes:)`, `cancelled` and `closed`. <doc:Errors> has their meaning.
///
/// `protocolCode` is the ``TinyvexErrorCode`` of a `server` error, and `retryAfter` the time that a busy server named.
public typealias TinyvexError = TinyvexMachine.TinyvexError
/// Makes a client's connections. The default is `SocketTransport` on Linux and URLSession on other platforms.
public typealias Transport = TinyvexTransport.Transport
/// The reason why a connection could not be made or has ended. ``ConnectionState`` and `TinyvexError.transport` have it.
public typealias TransportFailure = TinyvexTransport.TransportFailure

#if os(Linux) && !TINYVEX_PORTABLE
    import TinyvexSockets

    /// Makes connections over the sockets of Linux: TCP, TLS with `libcurl.so.4`, and Unix sockets.
    public typealias SocketTransport = TinyvexSockets.SocketTransport
#endif
