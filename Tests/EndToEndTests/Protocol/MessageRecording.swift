import JSONScan

/// Messages that a bridge sent, each with the schema definition that it must match.
struct MessageRecording {
    private var rows: [UInt8] = []

    mutating func add(_ definition: String, _ message: JSONValue) {
        rows += JSONWriter.object { writer in
            writer.member("definition", definition)
            writer.member("message", message.rawString)
        }
        rows.append(0x0a)
    }

    mutating func addNotification(_ message: JSONValue) {
        guard let method = message["method"]?.stringValue else { return }
        add("\(method).notification", message)
    }

    /// Writes one row per line, in the format that `validate.py` reads.
    func write(to path: String) throws { try FileBytes.write(rows, to: path) }
}
