/// Limits on what clients can store.
package struct FileLimits: Sendable, Equatable {
    /// One file: 32 MiB. In a prompt its bytes become Base64, which must fit in a line of 64 MiB.
    package var fileBytes = 32 << 20
    /// All files of one tenant together, with the uploads under way: 1 GiB.
    package var totalBytes = 1 << 30
    /// Files of one tenant, with the uploads under way. The bridge keeps about 400 bytes of memory for each.
    package var count = 10_000
    /// Uploads under way, of all tenants. Each holds one descriptor, and up to 1 MiB that waits for the disk.
    package var uploads = 64

    package init() {}
}
