/// The failures that an acknowledged append survives. A crash of the process loses nothing at either level.
package enum Durability: String, Sendable, CaseIterable {
    /// A power cut loses the updates that are not synced yet. A sync starts within 50 ms of the oldest unsynced update,
    /// on a separate thread (`synchronous=NORMAL`). The sync takes as long as the disk needs.
    case normal
    /// A power cut loses nothing (`synchronous=FULL`: a sync in every commit, 0.05 ms on a server's disk, 5 ms on other
    /// disks).
    case full
}
