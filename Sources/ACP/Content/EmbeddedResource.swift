import JSONCoding

extension ACP {
    /// A file, or whatever else has an address, with its contents. Schema: `EmbeddedResource`.
    public struct EmbeddedResource: Object {
        /// For whom it is, and how important.
        @Lenient public var annotations: Annotations?
        /// The contents.
        public var resource: EmbeddedResourceResource
        public var otherMembers: OtherMembers

        public init(resource: EmbeddedResourceResource, annotations: Annotations? = nil, meta: RawJSON? = nil) {
            self.annotations = annotations
            self.resource = resource
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
