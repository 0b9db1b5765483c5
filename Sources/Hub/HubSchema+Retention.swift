/// The part of the schema for the retention at the hub, which came with version 2.
extension HubSchema {
    /// `bridge.trimmed` changes when `hub retain` has deleted sessions of the log, so that the bridge reads again what the
    /// hub has. `retention`: one row. Bridges do not ship sessions that ended before this time, in milliseconds since
    /// 1970, because they would come back.
    static let retention = """
        ALTER TABLE acpbridge.bridge ADD COLUMN trimmed int8 NOT NULL DEFAULT 0;
        CREATE TABLE acpbridge.retention(before int8 NOT NULL);
        INSERT INTO acpbridge.retention VALUES (0);

        """

    static let retentionRoles = """
        GRANT SELECT ON acpbridge.retention TO \(shipRole);

        """
}
