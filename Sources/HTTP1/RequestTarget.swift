extension RequestHead {
    /// The decoded segments of the path: `/v1/sessions/a%2Fb` gives `["v1", "sessions", "a/b"]`.
    ///
    /// Nil when the encoding is invalid, or when a segment is empty, `.` or `..`. Other readers could interpret such a
    /// path differently.
    package var pathSegments: [String]? {
        guard path != "/" else { return [] }
        var segments: [String] = []
        for part in path.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            guard let segment = PercentEncoding.decode(part), !segment.isEmpty, segment != ".", segment != ".." else {
                return nil
            }
            segments.append(segment)
        }
        return segments
    }

    /// For each of the ``pathSegments``, whether it percent-encodes a character that never needs to be, such as the `m` of
    /// `/%6detrics`. A proxy that compares paths as text does not see the name that such a segment spells.
    package var encodesUnreserved: [Bool] {
        path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
            .map { PercentEncoding.encodesUnreserved($0) }
    }

    /// The members of the query, decoded as a form: `?limit=5&search=a+b` gives `limit` and `search`, `5` and `a b`. A
    /// member without `=` has the value "". Nil when the encoding is invalid.
    package var queryMembers: [(name: String, value: String)]? {
        var members: [(name: String, value: String)] = []
        for part in (query ?? "").split(separator: "&") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentEncoding.decode(pair[0], plusIsSpace: true),
                let value = PercentEncoding.decode(pair.dropFirst().first ?? "", plusIsSpace: true)
            else { return nil }
            members.append((name, value))
        }
        return members
    }
}
