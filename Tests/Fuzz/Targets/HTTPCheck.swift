import HTTP1

enum HTTPCheck {
    static func check(_ bytes: [UInt8]) throws(Finding) {
        let (requests, refusal) = requests([bytes[...]])
        let (others, otherRefusal) = Self.requests(Pieces.of(bytes))
        try Finding.unless(requests == others && refusal == otherRefusal, "requests do not depend on the cuts")
        for request in requests { try check(request) }
        if let refusal { try Finding.unless((400...599).contains(refusal.status), "a refusal has an error status") }
        try Finding.unless(
            responses([bytes[...]]) == responses(Pieces.of(bytes)), "responses do not depend on the cuts")
    }

    /// Checks that the request is unambiguous.
    private static func check(_ request: Request) throws(Finding) {
        let head = request.head
        let declarations = head.headers.all("Transfer-Encoding").count + head.headers.all("Content-Length").count
        try Finding.unless(declarations <= 1, "the length of a body is declared at most once")
        try Finding.unless(declarations == 1 || request.body.isEmpty, "a body is declared")
        try Finding.unless(request.body.count <= 1000, "a body is within its limit")
        try Finding.unless(head.headers.all("Host").count <= 1, "Host occurs at most once")
        for field in head.headers.fields {
            let isClean = (field.name + field.value).utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
            try Finding.unless(isClean, "fields contain no control characters")
        }
        try Finding.unless(
            head.pathSegments?.contains { $0.isEmpty || $0 == "." || $0 == ".." } != true,
            "path segments are not empty, . or ..")
        _ = head.queryMembers
    }

    private static func requests(_ pieces: [ArraySlice<UInt8>]) -> ([Request], HTTPRefusal?) {
        var parser = RequestParser(bodyLimitBytes: 1000, headLimitBytes: 2000)
        var requests: [Request] = []
        do throws(HTTPRefusal) {
            for piece in pieces {
                piece.withUnsafeBytes { parser.append($0) }
                while let request = try parser.next() { requests.append(request) }
            }
            return (requests, nil)
        } catch {
            return (requests, error)
        }
    }

    private static func responses(_ pieces: [ArraySlice<UInt8>]) -> [Response?] {
        var parser = ResponseParser()
        var responses: [Response?] = []
        do throws(MalformedResponse) {
            for piece in pieces {
                piece.withUnsafeBytes { parser.append($0) }
                while let response = try parser.next() { responses.append(response) }
            }
            responses.append(parser.connectionEnded())
        } catch {
            responses.append(nil)
        }
        return responses
    }
}
