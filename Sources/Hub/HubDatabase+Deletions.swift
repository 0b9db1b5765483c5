import Postgres

extension HubDatabase {
    /// Deleting the rows of a long session takes the server longer than any other statement.
    private static let deletionLimit = Duration.seconds(120)

    /// Deletes everything of these sessions of the log: all of it, or nothing. Sessions that the hub does not have are
    /// no error.
    package func delete(_ sids: [Int64], of writer: HubWriter) throws(HubError) {
        let values: [PostgresValue] = [.integer(writer.logId), .integers(sids)]
        // `session` has the partition of the runs, so it is the last one.
        let deletions = [
            """
            DELETE FROM acpbridge.run r USING acpbridge.session s
            WHERE s.log_id = $1 AND s.sid = ANY ($2::int8[]) AND r.day = s.day AND r.log_id = s.log_id AND r.sid = s.sid
            """,
            "DELETE FROM acpbridge.document WHERE log_id = $1 AND sid = ANY ($2::int8[])",
            "DELETE FROM acpbridge.searched WHERE log_id = $1 AND sid = ANY ($2::int8[])",
            "DELETE FROM acpbridge.claim WHERE log_id = $1 AND sid = ANY ($2::int8[])",
            "DELETE FROM acpbridge.head WHERE log_id = $1 AND sid = ANY ($2::int8[])",
            "DELETE FROM acpbridge.session WHERE log_id = $1 AND sid = ANY ($2::int8[])",
        ].map { PostgresConnection.Statement($0, values) }
        do throws(PostgresError) {
            _ = try connection.transaction(Self.opening(writer) + deletions, within: Self.deletionLimit)
        } catch {
            throw Self.failure(error)
        }
    }
}
