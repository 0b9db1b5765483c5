import ArgumentParsing
import CLI

/// Words separated by NUL, as the kernel stores them.
enum CommandLineCheck {
    static func check(_ bytes: [UInt8]) throws(Finding) {
        let words = bytes.split(separator: 0, omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
        do throws(UsageError) {
            _ = try CommandLineInterface.parse(words)
        } catch {
            try Finding.unless(!error.message.isEmpty, "a usage error has a message")
            try Finding.unless(!error.description.contains("\u{1B}"), "a usage error contains no escape character")
        }
    }
}
