@_exported import BridgeStandIn
import TinyvexMachine
import TinyvexSync

extension TestBridge {
    func client(_ adjust: (inout SyncConfiguration) -> Void = { _ in }) -> SyncClient {
        var configuration = Self.configuration
        adjust(&configuration)
        return SyncClient(configuration, transport: transport)
    }
}
