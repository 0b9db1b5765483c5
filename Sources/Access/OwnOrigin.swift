/// The origin of the page that the bridge itself serves. Pure. Source: RFC 6454, section 4.
enum OwnOrigin {
    /// Returns whether a page with this origin was loaded from the host that its request names.
    ///
    /// A page that was loaded over TLS through a proxy reaches a bridge without TLS. So an `https` origin counts on every
    /// bridge, and an `http` origin only on a bridge without TLS.
    ///
    /// - Parameters:
    ///   - origin: the value of `Origin`.
    ///   - host: the value of `Host`. The caller must check that this name belongs to the bridge.
    ///   - publicOrigin: the origin at the proxy in front of the bridge, which need not pass on the `Host` of the
    ///     client.
    static func matches(_ origin: String, host: String, usesTLS: Bool, publicOrigin: String? = nil) -> Bool {
        let (origin, host) = (origin.lowercased(), host.lowercased())
        guard !host.isEmpty else { return false }
        if origin == publicOrigin { return true }
        return origin == "https://" + host || !usesTLS && origin == "http://" + host
    }
}
