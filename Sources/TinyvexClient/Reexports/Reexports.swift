// Types of other modules that this library's API uses, so that programs need no other import.

@_exported import ACP
import JSONCoding
import TinyvexMachine
import TinyvexSync
import TinyvexTransport

public typealias ConnectionState = TinyvexMachine.ConnectionState
public typealias ConnectionStates = TinyvexSync.ConnectionStates
public typealias DecodingFault = TinyvexMachine.DecodingFault
public typealias Endpoint = TinyvexTransport.Endpoint
public typealias InProcessPeer = TinyvexSync.InProcessPeer
public typealias InProcessTransport = TinyvexSync.InProcessTransport
public typealias OpenEnum = JSONCoding.OpenEnum
public typealias RawJSON = JSONCoding.RawJSON
public typealias StreamEnd = TinyvexMachine.StreamEnd
public typealias StreamOpening = TinyvexMachine.StreamOpening
public typealias StreamPolicy = TinyvexMachine.StreamPolicy
public typealias StreamStart = TinyvexMachine.StreamStart
public typealias SyncConfiguration = TinyvexMachine.SyncConfiguration
public typealias TinyvexError = TinyvexMachine.TinyvexError
public typealias Transport = TinyvexTransport.Transport
public typealias TransportFailure = TinyvexTransport.TransportFailure

#if os(Linux) && !TINYVEX_PORTABLE
    import TinyvexSockets

    public typealias SocketTransport = TinyvexSockets.SocketTransport
#endif
