import JSONScan

extension JSONValue {
    /// The text of this object with another value of one member. A missing member is not added.
    func replacing(_ member: String, with text: [UInt8]) -> [UInt8] {
        JSONWriter.object { writer in
            for (name, value) in members {
                if name == member { writer.member(name, raw: text) } else { writer.member(name, raw: value.rawText) }
            }
        }
    }
}
