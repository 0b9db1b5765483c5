extension Subcommand {
    static let serve = Subcommand(
        .serve,
        abstract: "Run the bridge in the foreground",
        discussion: [
            """
            For systemd, containers and debugging. You need not start a bridge yourself: 'acpbridge stdio' does it. \
            There is one bridge for each user and ACPBRIDGE_HOME.
            """,
            """
            When the bridge is ready, it prints one line of JSON with its process id, its Unix socket and its URL. \
            It runs until 'acpbridge stop', SIGTERM or Ctrl-C, and ends its agents with it.
            """,
        ],
        syntax: Syntax(
            initial: ServeOptions(),
            options: [
                .values(
                    "listen", "HOST:PORT", into: \.listen, default: "127.0.0.1:7717",
                    help: """
                        Take WebSocket connections at this address, beside the Unix socket. Without HOST it is \
                        127.0.0.1; port 0 takes a free one. May be repeated.
                        """),
                .flag("no-tcp", sets: \.noTCP, help: "Serve the Unix socket only."),
                .value(
                    "tls-cert", "FILE", into: \.tlsCertificate, completion: .file,
                    help: """
                        Speak TLS at every TCP address, with the certificate in this file (PEM), those that it was \
                        issued by behind it. SIGHUP has both read anew.
                        """),
                .value(
                    "tls-key", "FILE", into: \.tlsKey, completion: .file,
                    help: "The key of that certificate (PEM, without a passphrase)."),
                .flag(
                    "deflate", sets: \.deflates,
                    help: """
                        Compress what WebSocket clients on other machines are sent, if they offer permessage-deflate. \
                        For slow networks: it costs some thirty times the time of sending it as it is.
                        """),
                .flag(
                    "deflate-all", sets: \.deflatesForAll,
                    help: "The same, for clients on this machine too, such as a proxy before the bridge."),
                .value(
                    "durability", "normal|full", into: \.durability, default: "normal",
                    help: """
                        What a power cut may cost: updates that are not synced, where a sync starts within 50 ms of the \
                        oldest of them (normal), or nothing, at the price of speed (full). \
                        A killed process loses nothing either way.
                        """),
                .values(
                    "jwt-key", "FILE", into: \.jwtKeys,
                    help: """
                        Take tokens (JWT) that are signed with this key, too: RSA's or an elliptic curve's public key \
                        (PEM), for RS256 and ES256, or else a secret of 32 bytes or more, for HS256. May be repeated. \
                        SIGHUP has them read anew.
                        """),
                .value(
                    "jwt-audience", "NAME", into: \.jwtAudience, help: "What those tokens must say in 'aud'."),
                .values(
                    "allow-origin", "ORIGIN", into: \.allowOrigins,
                    help: "Let web pages of this origin connect, such as https://app.example. May be repeated."),
                .values(
                    "allow-host", "HOST", into: \.allowHosts,
                    help: """
                        Answer to this name over TCP, too, beside loopback's and those of --listen: the name under which \
                        a proxy or another machine knows this one. May be repeated.
                        """),
                .values(
                    "limit", "NAME=VALUE", into: \.limits,
                    help: "Change what others may use: \(LimitSetting.help). May be repeated."),
                .value(
                    "permission-timeout", "TIME", into: \.permissionLimit,
                    help: """
                        Answer 'cancelled' to what an agent asks to be allowed when it has no editor and nobody has \
                        answered for so long. Without it, it waits. 'acpbridge stdio' may say otherwise for its agent.
                        """),
                .value(
                    "retain", "AGE,SIZE", into: \.retention,
                    help: """
                        Forget sessions that ended longer ago than this, and the oldest of those that have ended while \
                        the log is larger than that; one of the two may be left out. Without it all are kept.
                        """),
                .flag(
                    "replace", sets: \.replaces,
                    help: """
                        Take the place of the bridge that runs, which loses no agent, editor or update by it; clients \
                        connect again. Without other options it keeps the ones it was started with. SIGHUP to the bridge \
                        does the same.
                        """),
                .flag("on-demand", sets: \.isOnDemand, help: "Started by 'acpbridge stdio'.").hidden,
            ],
            finish: { (options, topic) throws(UsageError) in
                if options.noTCP, options.listen != nil {
                    throw UsageError(
                        "'--no-tcp' and '--listen' cannot be used together.", hint: "Keep the one that you mean.",
                        topic: topic)
                }
                try options.checkTLS(topic: topic)
                try options.checkTokens(topic: topic)
                return .serve(options)
            }),
        examples: [
            Example(purpose: "Serve a free port of this machine", command: "acpbridge serve --listen :0"),
            Example(purpose: "Serve your own programs only", command: "acpbridge serve --no-tcp"),
            Example(purpose: "Go on with a newer program", command: "acpbridge serve --replace"),
            Example(
                purpose: "Serve other machines",
                command: "acpbridge serve --listen 0.0.0.0:7717 --tls-cert cert.pem --tls-key key.pem"),
        ])
}

extension ServeOptions {
    fileprivate func checkTokens(topic: SubcommandName?) throws(UsageError) {
        guard jwtKeys.isEmpty == (jwtAudience == nil) else {
            throw UsageError(
                "'--jwt-key' and '--jwt-audience' go together.",
                hint: "Name the key and what tokens say in 'aud': one that is for everybody is for thieves, too.",
                topic: topic)
        }
    }

    fileprivate func checkTLS(topic: SubcommandName?) throws(UsageError) {
        guard (tlsCertificate == nil) == (tlsKey == nil) else {
            throw UsageError(
                "'--tls-cert' and '--tls-key' go together.", hint: "Name both files; one file may hold both.",
                topic: topic)
        }
        if noTCP, tlsCertificate != nil {
            throw UsageError(
                "'--no-tcp' and '--tls-cert' cannot be used together.", hint: "TLS is for TCP addresses.", topic: topic)
        }
    }
}
