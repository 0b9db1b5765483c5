import JSONScan
import Tinyvex

/// Reads the JSON object in a request's body.
enum JSONBody {
    /// - Throws: parse error or invalid request, also if a member is named twice.
    static func object(_ body: [UInt8]) throws(Rejection) -> JSONValue {
        let value: JSONValue
        do throws(JSONSyntaxError) {
            value = try JSONValue(validating: body)
        } catch {
            throw Rejection(.parseError, error.description)
        }
        guard value.kind == .object else { throw Rejection(.invalidRequest, "the body must be a JSON object") }
        guard !value.repeatsName else { throw Rejection(.invalidRequest, "a member of the body is named twice") }
        return value
    }
}
