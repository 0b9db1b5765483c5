import Bridge
import CLI
import EventLoop
import Glibc
import JSONScan
import TinyvexSync

/// Which bridge a command talks to, and with what right.
struct BridgeAccess {
    let endpoint: BridgeAddress
    private let token: String?
    /// It is the user's own daemon, which may be started.
    private let isOwn: Bool
    private let machine: Machine

    init(_ options: ConnectionOptions, machine: Machine) throws {
        self.machine = machine
        switch options.url {
        case .none:
            endpoint = .unix(path: machine.home.socket)
            isOwn = true
        case .unixSocket(let path):
            endpoint = .unix(path: path)
            isOwn = false
        case .webSocket(let url):
            do throws(BridgeAddress.ParseError) {
                endpoint = try BridgeAddress(url)
            } catch {
                throw Failure(message: error.description, status: Failure.wrongUsage)
            }
            isOwn = false
        }
        token = try Self.token(options, machine)
    }

    /// - Parameter starting: start the user's own daemon where none runs.
    func connect(starting: Bool) throws -> BridgeConnection {
        do throws(ClientError) {
            return try BridgeConnection(to: endpoint, token: token, clientName: "acpbridge")
        } catch {
            guard case .unreachable = error, isOwn, starting else { throw error }
        }
        try DaemonStart(machine: machine).start()
        return try BridgeConnection(to: endpoint, token: token, clientName: "acpbridge")
    }

    private static func token(_ options: ConnectionOptions, _ machine: Machine) throws -> String? {
        if let file = options.tokenFile {
            do {
                if let token = try AccessToken.read(file) { return token }
                let fault = access(file, F_OK) == 0 ? "is empty" : "does not exist"
                throw Failure(message: "the token file \(file) \(fault)")
            } catch let error as SystemError {
                throw Failure(message: "the token file cannot be read: \(error)")
            }
        }
        return machine.variables["ACPBRIDGE_TOKEN"].flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension BridgeConnection {
    /// The value of a named query, asked for once.
    func value(_ name: String) throws(ClientError) -> JSONValue {
        _ = try call("tinyvex/subscribe") { writer in
            writer.member("subId", "value")
            writer.member("name", name)
        }
        while true {
            let message = try receive()
            if let value = (try? JSONValue(validating: message))?["params"]?["value"] { return value }
        }
    }
}
