// The modules that hold the protocol's types, so that programs import only this module.

@_exported import ACPBase
@_exported import ACPClientServices
@_exported import ACPConnection
@_exported import ACPNextEdits
@_exported import ACPSessions
@_exported import ACPVersion2
