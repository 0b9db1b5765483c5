/// What an acknowledged append survives. A crash of the process loses nothing in either.
public enum Durability: String, Sendable, CaseIterable {
    /// A power cut takes back what is not synced yet. A sync starts within 50 ms of the oldest update that is not synced, on
    /// a thread of its own (`synchronous=NORMAL`). It takes as long as the disk needs.
    case normal
    /// A power cut takes back nothing (`synchronous=FULL`: a sync in every commit, 0.05 ms on a server's disk, 5 ms on
    /// others).
    case full
}
