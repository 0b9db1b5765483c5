import CProfiles
import JSONScan
import Testing

@Suite struct ProfilesTests {
    static let embedded: [(name: String, text: [UInt8])] = {
        var profiles: [(name: String, text: [UInt8])] = []
        var entry = embedded_profiles()
        while let name = entry.pointee.name, let bytes = entry.pointee.bytes {
            let text = Array(UnsafeBufferPointer(start: bytes, count: entry.pointee.length))
            profiles.append((String(cString: name), text))
            entry += 1
        }
        return profiles
    }()

    @Test func theTableIsSortedAndHasNoDuplicates() {
        let names = Self.embedded.map(\.name)
        #expect(names == Set(names).sorted())
        #expect(names.contains("demo") && names.contains("claude"))
    }

    @Test(arguments: Self.embedded)
    func eachProfileIsComplete(name: String, text: [UInt8]) throws {
        let profile = try JSONValue(validating: text)
        #expect(profile["name"]?.stringValue == name)
        #expect(profile.members.map(\.name) == ["name", "title", "command", "env", "homepage", "install"])
        let command = profile["command"]?.elements ?? []
        #expect(!command.isEmpty && command.allSatisfy { $0.stringValue?.isEmpty == false })
        #expect(profile["env"]?.members.allSatisfy { $0.value.kind == .string } == true)
        #expect(profile["homepage"]?.stringValue?.hasPrefix("https://") == true)
    }
}
