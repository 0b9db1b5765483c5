import TinyvexSync

/// Where a bridge is reached.
public typealias Endpoint = TinyvexSync.Endpoint
