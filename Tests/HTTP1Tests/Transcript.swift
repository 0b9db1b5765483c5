import HTTP1

/// What a parser made of some bytes: its requests and the refusal that ended them.
struct Transcript: Equatable {
    var requests: [Request] = []
    var refusal: HTTPRefusal?

    /// Reads `pieces` one after the other, as they would come from a socket.
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

    /// The status that `text` is refused with, provided that it is the same in one piece and byte by byte.
    static func refusedStatus(_ text: String) -> Int? {
        let bytes = Array(text.utf8)
        let whole = reading([bytes])
        return whole == reading(bytes.singleBytes) && whole.requests.isEmpty ? whole.refusal?.status : nil
    }
}

extension [UInt8] {
    /// Every way to cut the bytes in two.
    var cutInTwo: [[[UInt8]]] {
        (0...count).map { [Array(self[..<$0]), Array(self[$0...])] }
    }

    var singleBytes: [[UInt8]] {
        map { [$0] }
    }
}
