/// The web page that the bridge serves: files that are compiled into the program. Pure.
package enum Page {
    /// Returns the file for a request's path, for example `/` or `/app.js`. Only an exact path has a file: it is looked
    /// up in a table, so a path cannot leave the table.
    package static func file(at path: String) -> PageFile? { files[path] }

    /// The policy for every file of the page. Nothing is loaded from elsewhere, and no text becomes HTML or a script.
    /// Source: Content Security Policy Level 3; Trusted Types.
    package static let contentSecurityPolicy =
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data: blob:; "
        + "media-src data: blob:; manifest-src 'self'; worker-src 'self'; frame-ancestors 'none'; base-uri 'none'; "
        + "form-action 'none'; require-trusted-types-for 'script'; trusted-types worker"

    private static let files: [String: PageFile] = [
        "/": PageFile(
            contentType: "text/html; charset=utf-8",
            bytes: Array(
                "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>acpbridge</title>\n<p>acpbridge\n"
                    .utf8))
    ]
}

/// One file of the page.
package struct PageFile: Sendable, Equatable {
    /// The value of `Content-Type`.
    package let contentType: String
    package let bytes: [UInt8]
    /// The bytes compressed with gzip; nil if that saves nothing.
    package let gzip: [UInt8]?
    /// The value of `ETag`, in quotation marks.
    package let etag: String

    init(contentType: String, bytes: [UInt8]) {
        self.contentType = contentType
        self.bytes = bytes
        gzip = nil
        etag = "\"\(bytes.count)\""
    }
}
