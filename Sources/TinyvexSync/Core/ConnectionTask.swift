import TinyvexMachine
import TinyvexTransport

/// Serves one connection from its first byte to its last: one task that reads, one that writes.
struct ConnectionTask: Sendable {
    let id: ConnectionID
    let request: ConnectionRequest
    let transport: any Transport
    let pipe: ConnectionPipe
    let core: SyncCore

    /// Returns when the connection has ended. By then the core has been given the reason.
    func run() async {
        let connection: any TransportConnection
        do throws(TransportFailure) {
            connection = try await transport.connect(request)
        } catch {
            return core.handle(.failed(id, error))
        }
        pipe.opened(connection)
        core.handle(.connected(id))
        await withTaskGroup { group in
            group.addTask { await write(connection) }
            group.addTask { await read(connection) }
            await group.next()
            // When either task ends, the other must end too: because the connection has ended, or because nothing is
            // left to do.
            pipe.finish()
            group.cancelAll()
        }
        await connection.close(code: pipe.closeCode)
    }

    private func read(_ connection: any TransportConnection) async {
        while await pipe.mayRead() {
            do throws(TransportFailure) {
                core.handle(.arrived(id, try await connection.receive()))
            } catch {
                return core.handle(.failed(id, error))
            }
        }
    }

    private func write(_ connection: any TransportConnection) async {
        while let texts = await pipe.nextTexts() {
            do throws(TransportFailure) {
                try await connection.send(texts)
            } catch {
                return core.handle(.failed(id, error))
            }
            core.handle(.sent(id, bytes: texts.reduce(0) { $0 + $1.count }))
        }
    }
}
