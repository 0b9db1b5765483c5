extension RequestHead {
    /// True if the client already has the representation with this entity tag. The comparison is weak.
    /// Source: RFC 9110, section 13.1.2.
    ///
    /// - Parameter etag: A strong tag, with its quotation marks.
    package func hasRepresentation(_ etag: String) -> Bool {
        headers.tokens("If-None-Match").contains { tag in
            tag == "*" || (tag.hasPrefix("W/") ? String(tag.dropFirst(2)) : tag) == etag
        }
    }
}
