import Glibc

/// The names in folders, in no particular order: readdir(3). Names that begin with a dot are left out.
package enum FolderNames {
    /// Empty for a folder that cannot be read.
    package static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        return names(closing: stream)
    }

    /// Closes the stream.
    package static func names(closing stream: OpaquePointer) -> [String] {
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }
}
