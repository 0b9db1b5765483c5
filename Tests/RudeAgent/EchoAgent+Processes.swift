import Glibc

extension EchoAgent {
    /// Starts a `sleep` that inherits stdin, stdout and stderr, like a tool that an agent did not stop.
    func spawnSleeper(inNewSession isInNewSession: Bool) {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // POSIX_SPAWN_SETSID, which glibc declares only with _GNU_SOURCE.
        if isInNewSession { posix_spawnattr_setflags(&attributes, 0x80) }
        var words: [UnsafeMutablePointer<CChar>?] = [strdup("sleep"), strdup("1000"), nil]
        defer { for word in words { free(word) } }
        var child: pid_t = 0
        let code = posix_spawn(&child, "/bin/sleep", nil, &attributes, &words, environ)
        guard code == 0 else { terminate(code: 71) }
        write("grandchild \(child)\n", to: 2)
    }

    func environmentLine() -> String {
        let argv = CommandLine.arguments.map(quoted).joined(separator: ",")
        let members = environmentPairs().map { "\(quoted($0.name)):\(quoted($0.value))" }.joined(separator: ",")
        return #"{"argv":[\#(argv)],"cwd":\#(quoted(workingDirectory())),"env":{\#(members)}}"#
    }

    private func workingDirectory() -> String {
        guard let path = getcwd(nil, 0) else { return "" }
        defer { free(path) }
        return String(cString: path)
    }

    private func environmentPairs() -> [(name: String, value: String)] {
        var pairs: [(name: String, value: String)] = []
        var entry = environ
        while let text = entry.pointee {
            let parts = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            pairs.append((String(parts[0]), parts.count > 1 ? String(parts[1]) : ""))
            entry += 1
        }
        return pairs
    }

    private func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
