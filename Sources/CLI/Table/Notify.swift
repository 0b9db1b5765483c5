import ArgumentParsing
import Invocations

extension Subcommand {
    static let notify = Subcommand(
        .notify,
        abstract: "Test notifications, or list their registrations",
        discussion: [
            """
            A bridge can send notifications when an agent needs you, is done or has failed: to a webhook, an ntfy \
            topic, a command, or the pages, apps and webhooks that clients registered. The rules are in notifications.json in the \
            configuration folder, or in the file that 'acpbridge serve --notify' names. The bridge reads them at its \
            start and when it is replaced.
            """,
            """
            'test' sends a notification to every target at once, and prints the results. The exit status is 1 if a \
            delivery failed. 'list' prints the registrations of pages (push), apps (apns) and webhooks.
            """,
        ],
        syntax: Syntax(
            // Never used: ACTION is required.
            initial: NotifyOptions(action: .test),
            options: [.json(sets: \.json)] + Option.connection(in: \.connection),
            operands: [
                .required("ACTION", into: \.action, hintIfMissing: "Write 'test' or 'list'.", help: "test or list.")
            ],
            finish: { (options, _) in .notify(options) }),
        examples: [
            Example(purpose: "Send a test to every target", command: "acpbridge notify test"),
            Example(purpose: "See who gets notifications", command: "acpbridge notify list"),
        ])
}
