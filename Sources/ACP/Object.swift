import JSONCoding

extension ACP {
    /// What travels as a JSON object. All of them may carry `_meta`, and members that only newer versions name.
    public protocol Object: Codable, Hashable, Sendable {
        /// The members that this type does not name, as they are spelt; `_meta` is one of them.
        ///
        /// For reading what newer and other peers say. Names without `_meta` are the protocol's, so nothing of one's own
        /// goes here.
        var otherMembers: OtherMembers { get set }
    }
}

extension ACP.Object {
    /// `_meta`: whatever the peers have to say to each other that the protocol does not, an object.
    ///
    ///     {"traceparent":"00-…","example.com/color":"red"}
    ///
    /// `traceparent`, `tracestate` and `baggage` mean what W3C's Trace Context says. `nil` where none is, or no object.
    public var meta: RawJSON? {
        get { otherMembers["_meta"].flatMap { $0.value.kind == .object ? $0 : nil } }
        set { otherMembers["_meta"] = newValue }
    }
}

extension OtherMembers {
    init(meta: RawJSON?) {
        self.init()
        self["_meta"] = meta
    }
}
