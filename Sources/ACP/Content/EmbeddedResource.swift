import JSONCoding

extension ACP {
    /// A file or another resource that has a URI, including its contents. Schema: `EmbeddedResource`.
    public struct EmbeddedResource: Object {
        /// The audience and the importance of the content.
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
