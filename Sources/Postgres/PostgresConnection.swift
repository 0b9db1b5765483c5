import CPostgres
import Glibc
import Posix

/// One connection to PostgreSQL. Each call blocks its thread for a limited time, without a busy wait. Used by one
/// thread.
///
/// The resolution of a host's name is the exception: libpq leaves it to the system's resolver, which has time limits of
/// its own.
package final class PostgresConnection {
    private let connection: OpaquePointer
    private let password: String?
    /// True after the connection has failed. Nothing more is sent.
    private var isBroken = false

    /// A statement and its parameters.
    package struct Statement: Sendable {
        let sql: String
        let values: [PostgresValue]

        package init(_ sql: String, _ values: [PostgresValue] = []) {
            self.sql = sql
            self.values = values
        }
    }

    /// - Parameters:
    ///   - options: libpq's connection parameters that override those of the address.
    ///   - duration: the limit for the connection with all hosts of the address.
    package init(
        _ address: PostgresAddress, options: [(name: String, value: String)] = [], within duration: Duration
    ) throws(PostgresError) {
        // The address overrides the parameters before it.
        let defaults = [
            ("fallback_application_name", "acpbridge"), ("keepalives_idle", "15"), ("keepalives_interval", "5"),
            ("keepalives_count", "3"), ("tcp_user_timeout", "15000"),
        ]
        let parameters = defaults + [("dbname", address.text)] + options + [("client_encoding", "UTF8")]
        guard let started = Self.start(parameters) else { throw .unreachable(reason: "out of memory") }
        connection = started
        password = cpostgres_password(started).flatMap { $0.pointee == 0 ? nil : String(cString: $0) }
        cpostgres_discard_notices(started)
        try establish(until: .now + duration)
        guard cpostgres_set_nonblocking(started) == 0 else { throw .unreachable(reason: lastError) }
    }

    deinit { cpostgres_finish(connection) }

    private static func start(_ parameters: [(String, String)]) -> OpaquePointer? {
        let names = parameters.map { strdup($0.0) }
        let values = parameters.map { strdup($0.1) }
        defer { for text in names + values { free(text) } }
        let end: [UnsafePointer<CChar>?] = [nil]
        return cpostgres_connect_start(names.map { UnsafePointer($0) } + end, values.map { UnsafePointer($0) } + end)
    }

    private func establish(until deadline: Instant) throws(PostgresError) {
        guard Int(cpostgres_status(connection)) != CPOSTGRES_CONNECTION_BAD else {
            throw .unreachable(reason: lastError)
        }
        var state = CPOSTGRES_POLLING_WRITING
        while true {
            if state == CPOSTGRES_POLLING_OK { return }
            if state == CPOSTGRES_POLLING_FAILED { throw .unreachable(reason: lastError) }
            let events = state == CPOSTGRES_POLLING_READING ? POLLIN : POLLOUT
            guard wait(for: Int16(events), until: deadline) else {
                throw .unreachable(reason: "the server did not answer in time")
            }
            state = Int(cpostgres_connect_poll(connection))
        }
    }

    /// The server's version, for example 150018.
    package var serverVersion: Int { Int(cpostgres_server_version(connection)) }

    // MARK: Statements

    /// Executes one statement. Its parameters and its result have the binary format.
    @discardableResult package func execute(
        _ sql: String, _ values: [PostgresValue] = [], within duration: Duration
    ) throws(PostgresError) -> PostgresResult {
        let deadline = Instant.now + duration
        try send(Statement(sql, values))
        var found: PostgresResult?
        var failure: PostgresError?
        while let result = try nextResult(until: deadline) {
            do throws(PostgresError) { found = try check(result) } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
        guard let found else { throw .unexpectedResult }
        return found
    }

    /// Executes statements without parameters. If the script does not begin a transaction, it is one itself.
    package func run(script: String, within duration: Duration) throws(PostgresError) {
        let deadline = Instant.now + duration
        try requireOpen()
        guard cpostgres_send_script(connection, script) == 1 else { throw broken() }
        var failure: PostgresError?
        while let result = try nextResult(until: deadline) {
            do throws(PostgresError) { _ = try check(result) } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
    }

    /// Executes the statements in one round trip and one transaction: all of them, or none.
    ///
    /// - Returns: A result for each statement.
    /// - Throws: The first failure.
    package func transaction(
        _ statements: [Statement], within duration: Duration
    ) throws(PostgresError) -> [PostgresResult] {
        let deadline = Instant.now + duration
        try requireOpen()
        guard cpostgres_enter_pipeline(connection) == 1 else { throw broken() }
        for statement in statements { try send(statement) }
        guard cpostgres_pipeline_sync(connection) == 1 else { throw broken() }
        var results: [PostgresResult] = []
        var failure: PostgresError?
        for _ in statements {
            while let result = try nextResult(until: deadline) {
                if Int(cpostgres_result_status(result)) == CPOSTGRES_PIPELINE_ABORTED {
                    cpostgres_clear(result)
                    continue
                }
                do throws(PostgresError) { results.append(try check(result)) } catch { failure = failure ?? error }
            }
        }
        try endPipeline(until: deadline)
        if let failure { throw failure }
        guard results.count == statements.count else { throw .unexpectedResult }
        return results
    }

    private func endPipeline(until deadline: Instant) throws(PostgresError) {
        guard let sync = try nextResult(until: deadline) else { throw broken() }
        let status = Int(cpostgres_result_status(sync))
        cpostgres_clear(sync)
        guard status == CPOSTGRES_PIPELINE_SYNC, cpostgres_exit_pipeline(connection) == 1 else { throw broken() }
    }

    private func requireOpen() throws(PostgresError) {
        if isBroken { throw .disconnected(reason: "the connection is closed") }
    }

    private func send(_ statement: Statement) throws(PostgresError) {
        try requireOpen()
        let encoded = statement.values.map(\.encoded)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(encoded.reduce(1) { $0 + ($1?.count ?? 0) })
        for value in encoded { bytes += value ?? [] }
        bytes.append(0)
        let isSent = bytes.withUnsafeBytes { buffer in
            var offset = 0
            let pointers: [UnsafePointer<CChar>?] = encoded.map { value in
                guard let value else { return nil }
                defer { offset += value.count }
                return buffer.baseAddress?.advanced(by: offset).assumingMemoryBound(to: CChar.self)
            }
            return cpostgres_send(
                connection, statement.sql, Int32(encoded.count), statement.values.map(\.type), pointers,
                encoded.map { Int32($0?.count ?? 0) })
        }
        guard isSent == 1 else { throw broken() }
    }

    /// Sends what waits to be sent, and reads until a result is complete. Returns nil after a statement's last result.
    private func nextResult(until deadline: Instant) throws(PostgresError) -> OpaquePointer? {
        while true {
            let unsent = cpostgres_flush(connection)
            guard unsent >= 0 else { throw broken() }
            if unsent == 0, cpostgres_is_busy(connection) == 0 { return cpostgres_result(connection) }
            guard wait(for: Int16(unsent == 1 ? POLLIN | POLLOUT : POLLIN), until: deadline) else {
                isBroken = true
                throw .timedOut
            }
            guard cpostgres_consume(connection) == 1 else { throw broken() }
        }
    }

    private func check(_ result: OpaquePointer) throws(PostgresError) -> PostgresResult {
        switch Int(cpostgres_result_status(result)) {
        case CPOSTGRES_COMMAND_OK, CPOSTGRES_TUPLES_OK: return PostgresResult(result)
        default: break
        }
        defer { cpostgres_clear(result) }
        guard let state = Self.field(CPOSTGRES_DIAG_SQLSTATE, of: result) else { throw broken() }
        let message = Self.field(CPOSTGRES_DIAG_MESSAGE_PRIMARY, of: result) ?? ""
        let constraint = Self.field(CPOSTGRES_DIAG_CONSTRAINT, of: result)
        // The classes of a server that ends: operator intervention and connection exceptions.
        if state.hasPrefix("57P") || state.hasPrefix("08") {
            isBroken = true
            throw .disconnected(reason: withoutPassword(message))
        }
        throw .refused(sqlState: state, message: withoutPassword(message), constraint: constraint)
    }

    private static func field(_ code: Int, of result: OpaquePointer) -> String? {
        cpostgres_result_field(result, Int32(code)).map { String(cString: $0) }
    }

    // MARK: Waiting

    private func wait(for events: Int16, until deadline: Instant) -> Bool {
        while true {
            var polled = pollfd(fd: cpostgres_socket(connection), events: events, revents: 0)
            let count = poll(&polled, 1, Self.timeout(until: deadline))
            if count > 0 { return true }
            // EINTR.
            if count < 0, polled.fd >= 0, .now < deadline { continue }
            return false
        }
    }

    /// Milliseconds, rounded up.
    private static func timeout(until deadline: Instant) -> Int32 {
        let rest = max(0, (deadline - .now).nanoseconds)
        return Int32(clamping: (rest + 999_999) / 1_000_000)
    }

    private func broken() -> PostgresError {
        isBroken = true
        return .disconnected(reason: lastError)
    }

    /// libpq's message in one line.
    private var lastError: String {
        let message = cpostgres_error(connection).map { String(cString: $0) } ?? ""
        let line = message.split(whereSeparator: \.isNewline).joined(separator: " ")
        return line.isEmpty ? "no reason was given" : withoutPassword(line)
    }

    private func withoutPassword(_ message: String) -> String {
        guard let password, !password.isEmpty else { return message }
        var rest = Array(message.utf8)[...]
        let secret = Array(password.utf8)
        var cleaned: [UInt8] = []
        while let first = rest.first {
            if rest.starts(with: secret) {
                cleaned += Array("***".utf8)
                rest = rest.dropFirst(secret.count)
            } else {
                cleaned.append(first)
                rest = rest.dropFirst()
            }
        }
        return String(decoding: cleaned, as: UTF8.self)
    }
}
