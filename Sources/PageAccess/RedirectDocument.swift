/// A document that leads a browser to another URL. The browser gets the file's name as an argument, which every user of
/// the machine can see, and reads the URL from the file. Pure.
package enum RedirectDocument {
    package static func html(to url: String) -> String {
        let target = escaped(url)
        return """
            <!doctype html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="referrer" content="no-referrer">
            <meta http-equiv="refresh" content="0;url=\(target)">
            <title>acpbridge</title>
            <p><a href="\(target)">Open the page of acpbridge</a></p>

            """
    }

    /// Source: HTML, section 13.3 (escaping a string in attribute mode), and `<`.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text {
            switch character {
            case "&": escaped += "&amp;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            default: escaped.append(character)
            }
        }
        return escaped
    }
}
