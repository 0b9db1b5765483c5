import AgentProcess
import BridgeRequests
import CommandContext
import Glibc
import Invocations
import JSONScan
import PageAccess
import Posix
import TerminalIO
import TerminalText

/// `acpbridge open`: opens the bridge's page in a browser, or shows a phone the way to it.
///
/// The page's URL has a one-time code. It is in no process's arguments, which every user of the machine can see: the
/// browser gets the path of a private file that leads to the URL.
package struct OpenCommand {
    private let context: ProcessContext

    /// The lifetime of a code for a person who has to find a phone.
    private static let phoneSeconds: Int64 = 300

    package init(_ context: ProcessContext) { self.context = context }

    package func run(_ options: OpenOptions) throws {
        let access = try BridgeAccess(options.connection, context: context)
        let status = try access.withClient(starting: true) { try await $0.value("bridge:status") }
        let address = try address(options, status, isForOthers: options.phone)
        if options.phone {
            try showPhone(address, options, access)
        } else {
            try openBrowser(address, options, access)
        }
    }

    // MARK: The page's address

    /// The page's address: the one that the user names, the bridge's public one, or one at which the bridge listens.
    ///
    /// - Parameter isForOthers: the address is for another person or machine. A browser on this machine uses loopback,
    ///   if the bridge listens there, which does not need the proxy.
    func address(_ options: OpenOptions, _ status: JSONValue, isForOthers: Bool) throws -> PageAddress {
        if let asked = options.address {
            guard let address = PageAddress(asked.description) else {
                throw Failure(message: "\(asked) is not an address of a page", status: Failure.wrongUsage)
            }
            try checkName(address, status)
            return address
        }
        let urls = status["urls"]?.elements.compactMap(\.stringValue) ?? []
        let isReachable = !isForOthers && PageAddress.local(of: urls)?.isLoopback == true
        if !isReachable, let url = status["publicUrl"]?.stringValue, let address = PageAddress(publicURL: url) {
            return address
        }
        if case .webSocket(let url) = options.connection.url, !options.phone, let address = PageAddress(url) {
            return address
        }
        guard let local = PageAddress.local(of: urls) else {
            throw Failure(
                message: """
                    the bridge has no TCP address; start it without `--no-tcp`, set `listen` in the configuration file, \
                    or use `--address`
                    """)
        }
        guard options.phone else { return local }
        guard let remote = PageAddress.remote(of: urls) else { throw Self.unreachable(local) }
        return remote
    }

    /// The bridge refuses requests with a name that it does not know.
    private func checkName(_ address: PageAddress, _ status: JSONValue) throws(Failure) {
        guard let hosts = status["hosts"]?.elements.compactMap(\.stringValue), !address.isLoopback,
            !hosts.contains(address.host)
        else { return }
        throw Failure(
            message: """
                the bridge does not accept the name \(address.host); start it with \
                `acpbridge serve --allow-host \(address.host)`
                """)
    }

    private static func unreachable(_ address: PageAddress) -> Failure {
        Failure(
            message: """
                a phone cannot reach \(address.description). Either listen on the network with a certificate \
                (`acpbridge serve --listen ADDRESS:7717 --tls-cert FILE --tls-key FILE`), or put a proxy with TLS in \
                front, such as `tailscale serve` or `cloudflared`, and start the bridge with `--public-url \
                https://NAME`. For one time, `--allow-host NAME` and `open --address https://NAME` do the same
                """)
    }

    // MARK: A browser on this machine

    private func openBrowser(_ address: PageAddress, _ options: OpenOptions, _ access: BridgeAccess) throws {
        let url = address.url(code: try code(options, access))
        let hasDisplay = ["DISPLAY", "WAYLAND_DISPLAY"].contains { context.variables[$0]?.isEmpty == false }
        guard !options.prints, hasDisplay, try startBrowser(url) else {
            try Console.print("\(url)")
            return Console.report("Open this address in a browser within one minute. It is valid once.")
        }
        Console.report(
            "The browser opens \(address.description). If no page appears, use `acpbridge open --print`.")
    }

    /// Returns false if no program starts a browser.
    private func startBrowser(_ url: String) throws -> Bool {
        let home = try context.home
        try home.prepare()
        let path = home.runtime + "/open.html"
        try PrivateFile.replace(path, with: Array(RedirectDocument.html(to: url).utf8))
        let nothing = Descriptor(owning: Glibc.open("/dev/null", O_RDWR | O_CLOEXEC))
        let token = SystemString("ACPBRIDGE_TOKEN=").bytes
        let request = SpawnRequest(
            command: ["xdg-open", SystemString(path)], directory: "/",
            environment: context.environment.filter { !$0.bytes.starts(with: token) })
        // Without the program, the user opens the URL.
        return (try? DetachedProcess.start(request, streams: (nothing.raw, nothing.raw, nothing.raw))) != nil
    }

    // MARK: A phone

    private func showPhone(_ address: PageAddress, _ options: OpenOptions, _ access: BridgeAccess) throws {
        let url = address.url(code: try code(options, access, lifeSeconds: Self.phoneSeconds))
        let typed = try code(options, access, lifeSeconds: Self.phoneSeconds, isShort: true)
        do throws(QRCode.Unavailable) {
            let code = try QRCode(encoding: url)
            if let columns = Console.columns(STDOUT_FILENO), columns < code.columns {
                Console.report("The terminal is too narrow for the QR code, which needs \(code.columns) columns.")
            } else {
                try? Console.print(code.picture(colored: Console.hasColour(STDOUT_FILENO)))
            }
        } catch {
            Console.report("There is no QR code, because a library is missing (\(error.description)).")
            Console.report("It is in the package libqrencode4 (Debian, Ubuntu) or qrencode-libs (Fedora).")
        }
        try Console.print("\(url)")
        try Console.print("Code: \(typed)")
        Console.report(
            """
            Scan the QR code or open the address. Where the page asks for a code, for example after you added it to the \
            Home Screen, type the code. Both are valid once, for five minutes.
            """)
    }

    // MARK: Codes

    private func code(
        _ options: OpenOptions, _ access: BridgeAccess, lifeSeconds: Int64? = nil, isShort: Bool = false
    ) throws -> String {
        let arguments = JSONWriter.object { writer in
            writer.member("role", options.role.rawValue)
            writer.member("name", ifPresent: options.name)
            writer.member("ttlSeconds", ifPresent: options.life?.components.seconds)
            writer.member("lifeSeconds", ifPresent: lifeSeconds)
            writer.member("short", isShort)
        }
        let answer = try access.withClient { try await $0.action("codes:create", args: arguments) }
        guard let code = answer?["code"]?.stringValue else {
            throw Failure(message: "the bridge's answer has no code")
        }
        return code
    }
}
