import JSONCoding

extension ACP {
    /// A type that is a JSON object on the wire. Each object can carry `_meta`, and members that only newer
    /// versions define.
    public protocol Object: Codable, Hashable, Sendable {
        /// The members that this type does not name, unchanged, including `_meta`.
        ///
        /// Use it to read members that newer or other peers send. All names except `_meta` are reserved for the
        /// protocol, so do not add your own members here.
        var otherMembers: OtherMembers { get set }
    }
}

extension ACP.Object {
    /// `_meta`: an object for data that the peers exchange outside the protocol.
    ///
    ///     {"traceparent":"00-…","example.com/color":"red"}
    ///
    /// `traceparent`, `tracestate` and `baggage` have the meaning that W3C Trace Context defines. `nil` if `_meta`
    /// is absent or not an object.
    public var meta: RawJSON? {
        get { otherMembers["_meta"].flatMap { $0.value.kind == .object ? $0 : nil } }
        set { otherMembers["_meta"] = newValue }
    }
}

extension OtherMembers {
    package init(meta: RawJSON?) {
        self.init()
        self["_meta"] = meta
    }
}
