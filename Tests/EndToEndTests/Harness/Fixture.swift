/// Files in the same folder tree as the tests.
enum Fixture {
    static func path(_ name: String, from file: String = #filePath) -> String {
        let folders = file.split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
        return (folders + ["Fixtures", name[...]]).joined(separator: "/")
    }

    static func bytes(_ name: String) -> [UInt8]? { FileBytes.read(path(name)) }
}
