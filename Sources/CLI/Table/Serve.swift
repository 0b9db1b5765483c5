import ArgumentParsing
import Invocations

extension Subcommand {
    static let serve = Subcommand(
        .serve,
        abstract: "Run the bridge in the foreground",
        discussion: [
            """
            For systemd, containers and debugging. You do not need to start a bridge yourself: 'acpbridge stdio' does \
            it. There is one bridge per user and ACPBRIDGE_HOME.
            """,
            """
            When the bridge is ready, it prints one line of JSON with its process id, its Unix socket and its URL. \
            It runs until 'acpbridge stop', SIGTERM or Ctrl-C, and then stops its agents.
            """,
            """
            The configuration file and environment variables can have a value for each option, except --config and \
            --replace. An option overrides its variable, and the variable overrides the file. A bridge that starts on \
            demand uses the file and the variables, too. See 'help config'.
            """,
        ],
        syntax: Syntax(
            initial: ServeOptions(),
            options: listening + issuedTokens + operation + observation + running,
            finish: { (options, topic) throws(UsageError) in
                if options.noTCP, options.listen != nil {
                    throw UsageError(
                        "'--no-tcp' and '--listen' cannot be used together.", hint: "Keep the one that you mean.",
                        topic: topic)
                }
                try options.checkTLS(topic: topic)
                try options.checkProxy(topic: topic)
                try options.checkTokens(topic: topic)
                try options.checkPeers(topic: topic)
                if options.diagnostics.format == .journald, options.diagnostics.file != nil {
                    throw UsageError(
                        "'--log-format journald' and '--log-file' cannot be used together.",
                        hint: "Keep the one that you mean.", topic: topic)
                }
                if options.tracing.includesContent, options.tracing.endpoint == nil {
                    throw UsageError(
                        "'--otlp-content' requires '--otlp-endpoint'.", hint: "Name the collector, too.", topic: topic)
                }
                if options.tracing.includesAgents, options.tracing.endpoint == nil {
                    throw UsageError(
                        "'--otlp-agents' requires '--otlp-endpoint'.", hint: "Name the collector, too.", topic: topic)
                }
                if options.tracing.headersFile != nil, options.tracing.endpoint == nil {
                    throw UsageError(
                        "'--otlp-headers' requires '--otlp-endpoint'.", hint: "Name the collector, too.", topic: topic)
                }
                return .serve(options)
            }),
        examples: [
            Example(purpose: "Listen on a free port of this machine", command: "acpbridge serve --listen :0"),
            Example(purpose: "Accept only your own programs", command: "acpbridge serve --no-tcp"),
            Example(
                purpose: "Show the sessions of another laptop, too",
                command: "acpbridge serve --peer wss://laptop.example:7717 --token-file laptop.token"),
            Example(purpose: "Switch to a newer version of the program", command: "acpbridge serve --replace"),
            Example(
                purpose: "Accept other machines",
                command: "acpbridge serve --listen 0.0.0.0:7717 --tls-cert cert.pem --tls-key key.pem"),
            Example(
                purpose: "Serve a proxy on this machine, which ends TLS",
                command: "acpbridge serve --public-url https://acp.example --trusted-proxy 127.0.0.1"),
        ])

    /// How clients reach the bridge, and how safely it stores.
    private static let listening: [Option<ServeOptions>] = [
        .values(
            "listen", "HOST:PORT", into: \.listen, default: "127.0.0.1:7717",
            help: """
                Accept WebSocket connections at this address, in addition to the Unix socket. The default HOST \
                is 127.0.0.1; port 0 selects a free port. Can be repeated.
                """),
        .flag("no-tcp", sets: \.noTCP, help: "Listen on the Unix socket only."),
        .value(
            "tls-cert", "FILE", into: \.tlsCertificate, completion: .file,
            help: """
                Use TLS at every TCP address, with the certificate in this file (PEM), followed by the \
                certificates of its issuers. SIGHUP reloads both files.
                """),
        .value(
            "tls-key", "FILE", into: \.tlsKey, completion: .file,
            help: "The certificate's private key (PEM, without a passphrase)."),
        .flag(
            "behind-proxy", sets: \.proxy.isInFront,
            help: """
                Accept plain connections at addresses other than loopback, because a proxy with TLS is in front of \
                the bridge. Everyone on the network between the two can read the traffic, with its tokens. Clients \
                need tokens as always.
                """),
        .value(
            "public-url", "URL", into: \.proxy.publicURL,
            help: """
                The address under which others reach the bridge through a proxy, such as \
                https://bridge.example/base. Links, QR codes and upload URLs begin with it, its host is allowed as \
                with --allow-host, and a page from there is the bridge's own.
                """),
        .values(
            "trusted-proxy", "ADDRESS", into: \.proxy.trusted,
            help: """
                Believe X-Forwarded-For from this address or network, such as 10.0.0.0/8: limits for each address \
                and the audit log then use the client's address instead of the proxy's. Can be repeated.
                """),
        .flag(
            "deflate", sets: \.deflates,
            help: """
                Compress messages to WebSocket clients on other machines, if they offer permessage-deflate. \
                For slow networks only: a compressed message takes about thirty times as long to send.
                """),
        .flag(
            "deflate-all", sets: \.deflatesForAll,
            help: "Like --deflate, but also for clients on this machine, such as a reverse proxy."),
        .value(
            "durability", "normal|full|hub", into: \.durability, default: "normal",
            help: """
                The data that a power failure can lose: updates that are not synced, and a sync starts within \
                50 ms of the oldest of them (normal), or nothing, but slower (full). A killed process loses \
                nothing in either mode. With 'hub', which requires --hub, clients get an update only when the hub has \
                it; while the hub is away they wait, and agents and editors do not.
                """),
    ]

    /// Tokens of another issuer.
    private static let issuedTokens: [Option<ServeOptions>] = [
        .values(
            "jwt-key", "FILE", into: \.issuedTokens.keyFiles, completion: .file,
            help: """
                Also accept tokens (JWT) that are signed with this key: a public key in PEM, of RSA, \
                P-256 or Ed25519, for RS256, ES256 or EdDSA, or else a secret of 32 bytes or more, for \
                HS256. Can be repeated. SIGHUP reloads the files.
                """),
        .value(
            "jwt-jwks", "URL|FILE", into: \.issuedTokens.keySet, completion: .file,
            help: """
                Also accept tokens that are signed with a key of this set (JWKS): RS256, ES256 and EdDSA. A \
                set at an https URL is fetched at the start, when it is too old (Cache-Control), and, once per \
                minute at most, when a token names an unknown key. SIGHUP reloads the set.
                """),
        .value(
            "jwt-audience", "NAME", into: \.issuedTokens.audience,
            help: "The value that these tokens must have in 'aud'."),
        .value(
            "jwt-issuer", "NAME", into: \.issuedTokens.issuer,
            help: "The value that these tokens must have in 'iss'. By default, 'iss' is not checked."),
        .value(
            "jwt-tenant-claim", "CLAIM", into: \.issuedTokens.tenantClaim, default: "tenant",
            help: """
                The claim with the tenant. Dots separate the names of nested objects, as in \
                app_metadata.tenant_id, unless a claim has the whole name.
                """),
        .value(
            "jwt-role-claim", "CLAIM", into: \.issuedTokens.roleClaim, default: "role",
            help: """
                The claim with the role: a name, several names with spaces between them, such as 'scope', or \
                an array of names. The highest known role counts.
                """),
        .value(
            "jwt-subject-claim", "CLAIM", into: \.issuedTokens.subjectClaim, default: "sub",
            help: "The claim with the user's name, for the audit log and for other clients."),
        .values(
            "jwt-role", "NAME=ROLE", into: \.issuedTokens.roles,
            help: """
                The bridge's role (observe or control) for this name in the role claim. Can be repeated. By \
                default, the names are those of the bridge's roles; with this option, they have no meaning.
                """),
    ]

    /// Access, limits and retention.
    private static let operation: [Option<ServeOptions>] = [
        .values(
            "allow-origin", "ORIGIN", into: \.allowOrigins,
            help: "Allow web pages of this origin to connect, such as https://app.example. Can be repeated."),
        .values(
            "allow-host", "HOST", into: \.allowHosts,
            help: """
                Also accept this host name over TCP, in addition to those of loopback and --listen: the name \
                that a proxy or another machine uses for this one. Can be repeated.
                """),
        .values(
            "limit", "NAME=VALUE", into: \.limits,
            help: "Change a limit: \(LimitSetting.help). Can be repeated."),
        .value(
            "permission-timeout", "TIME", into: \.permissionLimit,
            help: """
                Answer a permission request with 'cancelled' if the agent has no editor and the request was \
                not answered for this long. By default, the request waits. 'acpbridge stdio' can set another \
                time for its agent.
                """),
        .value(
            "retain", "AGE,SIZE", into: \.retention,
            help: """
                Delete sessions that ended longer ago than AGE, and the oldest ended sessions while the log is \
                larger than SIZE. AGE or SIZE can be omitted. By default, all sessions are kept.
                """),
        .value(
            "audit-retain", "TIME", into: \.auditRetention,
            help: """
                Keep each full file of the audit log for at least this time, such as 90d. By default, only the \
                newest full file is kept.
                """),
        .value(
            "notify", "FILE", into: \.notifications, completion: .file,
            default: "notifications.json in the configuration folder",
            help: "Send notifications by the rules in this file (JSON). See 'help notify'."),
        .flag(
            "no-agents", sets: \.noAgents,
            help: "Start no agents, for a bridge that only shows sessions. Requests for an agent are refused."),
        .flag(
            "no-search", sets: \.noSearch,
            help: "Keep no full-text index of the sessions, and delete the existing one."),
        .value(
            "hub", "ADDRESS", into: \.hub,
            help: """
                Ship the session log to this PostgreSQL database, which several bridges can share: \
                postgres://USER@HOST/DATABASE. A password is refused on the command line. See 'help hub'.
                """
        ).secret,
        .value(
            "hub-role", "ship|serve|both", into: \.hubRole, default: "ship",
            help: """
                The use of the hub: ship this bridge's log to it (ship), show the sessions of other bridges \
                (serve), or both.
                """),
        .flag(
            "hub-search", sets: \.hubSearch,
            help: """
                Also store the words of the sessions at the hub, so that bridges that show them can search them. The \
                hub then needs more room.
                """),
        .value(
            "hub-commands", "none|jwt|all", into: \.hubCommands, default: "none",
            help: """
                Accept prompts, answers and changes for this bridge's sessions from the hub's viewers: none; with a \
                token (JWT) that this bridge accepts (jwt); or from all clients that a viewer lets control \
                sessions (all).
                """),
        .values(
            "peer", "URL", into: \.peers,
            help: """
                Show the sessions of this bridge, too, and forward commands for them: wss://HOST, or unix:/PATH of a \
                tunnel. Needs a token of that bridge in --token-file. Can be repeated.
                """),
        .values(
            "token-file", "FILE", into: \.tokenFiles, completion: .file,
            help: """
                The file with the token for --peer: one for all peers, or one for each of them in their order. Read \
                at each connection. Other users must not be able to read the file.
                """),
    ]

    /// The bridge's own log, and traces.
    private static let observation: [Option<ServeOptions>] = [
        .value(
            "log-level", "LEVEL", into: \.diagnostics.level, default: "warning",
            help: """
                The least important events in the bridge's own log, on stderr: error, warning, info (agents that \
                start and end) or debug (also sessions and clients). The log never contains prompts or tokens.
                """),
        .value(
            "log-format", "FORMAT", into: \.diagnostics.format, default: "text",
            help: """
                Write these events as logfmt (text), as one JSON object per line (json), or with fields to the \
                journal of systemd instead of stderr (journald).
                """),
        .value(
            "log-file", "FILE", into: \.diagnostics.file, completion: .file,
            help: """
                Append these events to this file instead of stderr. At the size of --limit bridge-log, which is \
                16 MiB by default, it is renamed to FILE.1, which replaces the previous one.
                """),
        .value(
            "otlp-endpoint", "URL", into: \.tracing.endpoint,
            help: """
                Send a trace of each turn to this OpenTelemetry collector (OTLP over HTTP, JSON), such as \
                http://127.0.0.1:4318: the turn, its tool calls and the waits for permissions.
                """),
        .flag(
            "otlp-content", sets: \.tracing.includesContent,
            help: "Include prompts, titles and arguments of tools, and texts of errors in these traces."),
        .flag(
            "otlp-agents", sets: \.tracing.includesAgents,
            help: """
                Set OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL and OTEL_SERVICE_NAME for agents, which can \
                then send telemetry of their own to this collector. An agent whose environment has a variable that \
                begins with OTEL_ gets none of them.
                """),
        .value(
            "otlp-headers", "FILE", into: \.tracing.headersFile, completion: .file,
            help: """
                Send the HTTP fields in this file to the collector: one 'NAME: VALUE' per line, such as \
                'Authorization: Bearer TOKEN'. Other users must not be able to read the file.
                """),
    ]

    /// Its settings, and its start.
    private static let running: [Option<ServeOptions>] = [
        .value(
            "config", "FILE", into: \.configurationFile, completion: .file,
            default: "config.json in the configuration folder",
            help: "Read the settings from this file; see 'help config'."),
        .flag(
            "replace", sets: \.replaces,
            help: """
                Replace the running bridge. Agents, editors and updates are not affected; clients reconnect. \
                Without other options, the new bridge uses the options of the old one. SIGHUP to the bridge \
                does the same. The configuration file is read again; if it has an error, nothing changes.
                """),
        .flag("on-demand", sets: \.isOnDemand, help: "Started by 'acpbridge stdio'.").hidden,
    ]
}

extension ServeOptions {
    fileprivate func checkTokens(topic: CommandTopic) throws(UsageError) {
        if !issuedTokens.keyFiles.isEmpty, issuedTokens.audience == nil {
            throw Self.needsAudience("jwt-key", topic)
        }
        if issuedTokens.keySet != nil, issuedTokens.audience == nil { throw Self.needsAudience("jwt-jwks", topic) }
        guard issuedTokens.hasKeys || issuedTokens.audience == nil else {
            throw Self.needsAudience("jwt-key", topic)
        }
        guard issuedTokens.hasKeys || !issuedTokens.hasRules else {
            throw UsageError(
                "An option '--jwt-…' requires '--jwt-key' or '--jwt-jwks'.",
                hint: "Name the keys of the issuer, too.", topic: topic)
        }
    }

    private static func needsAudience(_ option: String, _ topic: CommandTopic) -> UsageError {
        UsageError(
            "'--\(option)' and '--jwt-audience' must be used together.",
            hint: "Without an audience, the bridge would accept tokens that were issued for other services.",
            topic: topic)
    }

    /// A proxy must not use the Unix socket, whose peers need no token if they are of the bridge's user.
    fileprivate func checkProxy(topic: CommandTopic) throws(UsageError) {
        let used = [
            proxy.isInFront ? "behind-proxy" : nil, proxy.publicURL == nil ? nil : "public-url",
            proxy.trusted.isEmpty ? nil : "trusted-proxy",
        ].compactMap(\.self).first
        guard noTCP, let used else { return }
        throw UsageError(
            "'--no-tcp' and '--\(used)' cannot be used together.",
            hint: "A proxy must connect over TCP: on the Unix socket its clients would need no token.", topic: topic)
    }

    fileprivate func checkPeers(topic: CommandTopic) throws(UsageError) {
        if !tokenFiles.isEmpty, peers.isEmpty {
            throw UsageError("'--token-file' requires '--peer'.", hint: "Name the peer, too.", topic: topic)
        }
        if tokenFiles.count > 1, tokenFiles.count != peers.count {
            throw UsageError(
                "There are \(peers.count) '--peer' and \(tokenFiles.count) '--token-file'.",
                hint: "Name one file for all peers, or one for each of them.", topic: topic)
        }
        if peers.count > PeerAddress.countLimit {
            throw UsageError(
                "'--peer' can be used \(PeerAddress.countLimit) times.", hint: "Use '--hub' for more bridges.",
                topic: topic)
        }
        if !peers.isEmpty, hubRole != .ship {
            throw UsageError(
                "'--peer' and '--hub-role \(hubRole.rawValue)' cannot be used together.",
                hint: "A hub shows the sessions of all its bridges.", topic: topic)
        }
    }

    fileprivate func checkTLS(topic: CommandTopic) throws(UsageError) {
        guard (tlsCertificate == nil) == (tlsKey == nil) else {
            throw UsageError(
                "'--tls-cert' and '--tls-key' must be used together.",
                hint: "Name both files; one file can contain both.",
                topic: topic)
        }
        if noTCP, tlsCertificate != nil {
            throw UsageError(
                "'--no-tcp' and '--tls-cert' cannot be used together.", hint: "TLS applies only to TCP addresses.",
                topic: topic)
        }
    }
}
