import Posix

/// Limits on the memory and other resources that clients and agents can make a bridge use.
package struct Limits: Sendable {
    /// A line of an agent or an editor: 64 MiB, because agents send whole files and images. A longer line still passes
    /// between the two but is not published.
    package var lineBytes = 64 << 20
    /// A client's WebSocket message on `/tinyvex`: 16 MiB, for prompts with images. On `/acp` the limit is `lineBytes`.
    package var messageBytes = 16 << 20
    /// A stdio shim's request to start an agent: a command and an environment, which Linux limits to 2 MiB.
    package var launchBytes = 4 << 20
    /// Lines of one session that are not stored yet. Past this the bridge stops reading the agent's pipe.
    package var unstoredBytes = 32 << 20
    /// The stored updates of one session, including the entries among them. Past this the oldest are deleted. Nil: all
    /// are kept.
    package var sessionLogBytes: Int?
    /// The audit log; the previous file is kept too. 8 MiB hold about 50,000 lines.
    package var auditBytes = 8 << 20
    /// An HTTP request's head: 16 KiB, enough for a browser with many cookies.
    package var headBytes = 16 << 10
    /// An HTTP request's body: 1 MiB.
    package var bodyBytes = 1 << 20
    /// A stored file: 32 MiB. In a prompt its bytes become Base64, which must fit in a line.
    package var fileBytes = 32 << 20
    /// All stored files of one tenant: 1 GiB.
    package var filesBytes = 1 << 30
    /// Simultaneous connections.
    package var connections = 10_000
    /// Simultaneous TCP connections from one address; with IPv6, from one /64 network.
    package var connectionsPerAddress = 4_000
    /// HTTP requests from one address that are not upgrades. The burst limit is the same number.
    package var requestsPerMinute = 600
    /// Requests from one address for the files of the page, which need no token. The burst limit is the same number. A
    /// page load takes about ten requests, so 100 phones behind one address can load the page within a minute.
    package var fileRequestsPerMinute = 1_000
    /// Simultaneous sessions of one agent. Past this a session's updates go only to the editor.
    package var sessions = 10_000
    /// Simultaneous agents. Each is one or more processes.
    package var agents = 1_000
    /// Subscriptions on one connection.
    package var subscriptions = 1_000
    /// The time that a connection has to send a request: the first one from its beginning, including the TLS handshake; each
    /// further one from its first byte.
    package var admission = Duration.seconds(10)
    /// The time that a connection waits for a further HTTP request. 75 s, as with other servers: a page that asks once a minute
    /// keeps its connection.
    package var keepAlive = Duration.seconds(75)
    /// How long a client with a resumable connection can be away. The same time as an agent waits for an editor.
    package var absence = Duration.seconds(600)
    /// How long background work or an unknown state alone keeps an agent without a client. One hour is long enough for a
    /// build or a subagent, and short enough that a forgotten development server does not keep its agent overnight.
    package var background = Duration.seconds(3600)

    package init() {}
}
