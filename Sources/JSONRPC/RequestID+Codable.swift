import JSONCoding
import JSONScan

extension RequestID: Codable {
    public init(from decoder: any Decoder) throws {
        guard let id = RequestID(try RawJSON(from: decoder).value) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "an id is a string, a number or null"))
        }
        self = id
    }

    /// Writes the id with its original spelling.
    public func encode(to encoder: any Encoder) throws {
        try RawJSON(validating: rawText).encode(to: encoder)
    }
}
