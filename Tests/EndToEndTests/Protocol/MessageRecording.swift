import JSONScan

/// Messages as a bridge sent them, each with the definition of the schema that it must fit.
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

    /// One row to a line, as `validate.py` reads them.
    func write(to path: String) throws { try FileBytes.write(rows, to: path) }
}
