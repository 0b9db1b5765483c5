import CPage

/// The web page that the bridge serves: files that are compiled into the program. Pure.
package enum Page {
    /// Returns the file for a request's path, for example `/` or `/page.js`. Only an exact path has a file: it is looked
    /// up in a table, so a path cannot leave the table.
    package static func file(at path: String) -> PageFile? { files[path] }

    /// The paths of all files, sorted.
    package static var paths: [String] { files.keys.sorted() }

    /// The policy for every file of the page. Nothing is loaded from elsewhere, and no text becomes HTML or a script.
    /// Source: Content Security Policy Level 3; Trusted Types.
    package static let contentSecurityPolicy =
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data: blob:; "
        + "media-src data: blob:; manifest-src 'self'; worker-src 'self'; frame-ancestors 'none'; base-uri 'none'; "
        + "form-action 'none'; require-trusted-types-for 'script'; trusted-types worker"

    /// The files by path. They are compressed once, when the first of them is requested, which takes some 10 ms.
    private static let files: [String: PageFile] = {
        var files: [String: PageFile] = [:]
        for entry in UnsafeBufferPointer(start: page_files(), count: page_file_count()) {
            files[String(cString: entry.path)] = PageFile(
                contentType: String(cString: entry.content_type),
                bytes: Array(UnsafeBufferPointer(start: entry.bytes, count: entry.size)))
        }
        return files
    }()
}
