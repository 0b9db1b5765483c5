import CLI

/// Words with a NUL between them, as the kernel keeps them.
enum CommandLineCheck {
    static func check(_ bytes: [UInt8]) throws(Finding) {
        let words = bytes.split(separator: 0, omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
        do throws(UsageError) {
            _ = try CommandLineInterface.parse(words)
        } catch {
            try Finding.unless(!error.message.isEmpty, "wrong usage is explained")
            try Finding.unless(!error.description.contains("\u{1B}"), "no control characters reach the terminal")
        }
    }
}
