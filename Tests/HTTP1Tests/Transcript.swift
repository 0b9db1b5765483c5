import HTTP1

/// The requests that a parser returned for some bytes, and the refusal that ended them.
struct Transcript: Equatable {
    var requests: [Request] = []
    var refusal: HTTPRefusal?

    /// Reads `pieces` one after the other, like reads from a socket.
    static func reading(_ pieces: [[UInt8]], bodyLimitBytes: Int = 1000) -> Transcript {
        var parser = RequestParser(bodyLimitBytes: bodyLimitBytes)
        var transcript = Transcript()
        for piece in pieces {
            parser.append(piece.span)
            do throws(HTTPRefusal) {
                while let request = try parser.next() { transcript.requests.append(request) }
            } catch {
                transcript.refusal = error
            }
        }
        return transcript
    }

    /// The status with which `text` is refused, if one piece and single bytes give the same status.
    static func refusedStatus(_ text: String) -> Int? {
        let bytes = Array(text.utf8)
        let whole = reading([bytes])
        return whole == reading(bytes.singleBytes) && whole.requests.isEmpty ? whole.refusal?.status : nil
    }
}

extension [UInt8] {
    /// All ways to cut the bytes in two.
    var cutInTwo: [[[UInt8]]] {
        (0...count).map { [Array(self[..<$0]), Array(self[$0...])] }
    }

    var singleBytes: [[UInt8]] {
        map { [$0] }
    }
}
