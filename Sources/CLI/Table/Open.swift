import ArgumentParsing
import Invocations

extension Subcommand {
    static let open = Subcommand(
        .open,
        abstract: "Open the bridge's web page in a browser or on a phone",
        discussion: [
            """
            Starts the bridge if necessary, and opens its page in your browser. The page gets an access token of its \
            own by a code that is valid once, for one minute. 'acpbridge token list' shows the token, and \
            'acpbridge token revoke' ends the page's access.
            """,
            """
            With --phone, prints a QR code and a code to type, which are valid once, for five minutes. A phone needs \
            an address that it can reach: start the bridge with --listen and a certificate, or put a proxy with TLS \
            in front of it and name the proxy's address with 'serve --public-url' or --address. A QR code needs the library libqrencode.
            """,
        ],
        syntax: Syntax(
            initial: OpenOptions(),
            options: [
                .flag("phone", sets: \.phone, help: "Print a QR code and a code to type for a phone."),
                .value(
                    "address", "URL", into: \.address,
                    default: "the address of 'serve --public-url', or one at which the bridge listens",
                    help: """
                        The page's address, for example the one of a proxy: https://bridge.example. The bridge must \
                        accept the name ('serve --allow-host').
                        """),
                .flag("print", sets: \.prints, help: "Print the page's URL, with the code, and start no browser."),
                .value("role", "ROLE", into: \.role, default: "control", help: "The rights of the page's token."),
                .value(
                    "ttl", "DURATION", into: \.life, default: "30d",
                    help: "The lifetime of the page's token, such as 12h or 30d."),
                .value("name", "NAME", into: \.name, help: "A name for the token, shown in the list of tokens."),
            ] + Option.connection(in: \.connection),
            finish: { (options, topic) throws(UsageError) in .open(try options.checked(topic: topic)) }),
        examples: [
            Example(purpose: "Open the page in your browser", command: "acpbridge open"),
            Example(
                purpose: "Watch from a phone through a proxy",
                command: "acpbridge open --phone --role observe --address https://bridge.example"),
        ])
}

extension OpenOptions {
    fileprivate func checked(topic: CommandTopic) throws(UsageError) -> OpenOptions {
        if let life, life < .seconds(1) {
            throw UsageError(
                "Invalid value for '--ttl': the lifetime of a token is at least one second.", hint: nil, topic: topic)
        }
        if phone, prints {
            throw UsageError(
                "'--phone' and '--print' cannot be used together.", hint: "'--phone' prints the URL, too.",
                topic: topic)
        }
        return self
    }
}
