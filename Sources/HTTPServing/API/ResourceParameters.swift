import HTTP1
import JSONScan
import Tinyvex

/// Converts the query of a URL to the params that `/tinyvex` would receive: `?live=true&limit=5` becomes
/// `{"live":true,"limit":5}`. Unknown members are omitted.
enum ResourceParameters {
    private static let integers: Set<String> = ["page", "limit"]
    private static let booleans: Set<String> = ["live", "archived", "children"]
    private static let strings: Set<String> = ["agent", "search", "journal", "direction", "cursor", "order"]

    /// - Parameters:
    ///   - added: Members from the path. They come first.
    ///   - renamed: The names on `/tinyvex` of members that have another name here. Their values are numbers.
    static func read(
        _ head: RequestHead, adding added: [(name: String, value: String)] = [],
        renaming renamed: [String: String] = [:]
    ) throws(Rejection) -> JSONValue {
        guard let members = head.queryMembers else {
            throw .invalidParams("the URL's query is not percent-encoded UTF-8")
        }
        var texts: [(name: String, json: [UInt8])] = added.map { ($0.name, JSONWriter.scalar($0.value)) }
        for (name, value) in members where !added.contains(where: { $0.name == name }) {
            guard let json = try json(name, value, isInteger: integers.contains(name) || renamed[name] != nil) else {
                continue
            }
            guard !texts.contains(where: { $0.name == renamed[name] ?? name }) else {
                throw .invalidParams("\(name) is named twice")
            }
            texts.append((renamed[name] ?? name, json))
        }
        let object = JSONWriter.object { writer in
            for text in texts { writer.member(text.name, raw: text.json) }
        }
        guard let value = try? JSONValue(validating: object) else {
            throw .invalidParams("the URL's query is malformed")
        }
        return value
    }

    private static func json(_ name: String, _ value: String, isInteger: Bool) throws(Rejection) -> [UInt8]? {
        if isInteger {
            guard let integer = Int64(value) else { throw .invalidParams("\(name) must be an integer") }
            return JSONWriter.scalar(integer)
        }
        if strings.contains(name) { return JSONWriter.scalar(value) }
        guard booleans.contains(name) else { return nil }
        guard let bool = value.isEmpty ? true : Bool(value) else {
            throw .invalidParams("\(name) must be true or false")
        }
        return JSONWriter.scalar(bool)
    }
}
