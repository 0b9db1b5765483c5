// Types of other modules that this library's API uses, so that programs need no other import.

@_exported import ACP
import JSONCoding
import TinyvexSync

public typealias ConnectionState = TinyvexSync.ConnectionState
public typealias ConnectionStates = TinyvexSync.ConnectionStates
public typealias DecodingFault = TinyvexSync.DecodingFault
public typealias Endpoint = TinyvexSync.Endpoint
public typealias InProcessPeer = TinyvexSync.InProcessPeer
public typealias InProcessTransport = TinyvexSync.InProcessTransport
public typealias OpenEnum = JSONCoding.OpenEnum
public typealias RawJSON = JSONCoding.RawJSON
public typealias SocketTransport = TinyvexSync.SocketTransport
public typealias StreamEnd = TinyvexSync.StreamEnd
public typealias StreamOpening = TinyvexSync.StreamOpening
public typealias StreamStart = TinyvexSync.StreamStart
public typealias SyncConfiguration = TinyvexSync.SyncConfiguration
public typealias TinyvexError = TinyvexSync.TinyvexError
public typealias Transport = TinyvexSync.Transport
public typealias TransportFailure = TinyvexSync.TransportFailure
