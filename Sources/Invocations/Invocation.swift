import ArgumentParsing

/// The parsed command line of one run of `acpbridge`.
package enum Invocation: Equatable, Sendable {
    case stdio(StdioOptions)
    case serve(ServeOptions)
    case attach(AttachOptions)
    case connect(ConnectOptions)
    case prompt(PromptOptions)
    case answer(AnswerOptions)
    case cancel(CancelOptions)
    case sessions(SessionsOptions)
    case search(SearchOptions)
    case usage(UsageOptions)
    case agents(AgentsOptions)
    case share(ShareOptions)
    case token(TokenOptions)
    case open(OpenOptions)
    case diff(DiffOptions)
    case export(ExportOptions)
    case `import`(ImportOptions)
    case set(SetOptions)
    case rename(RenameOptions)
    case delete(DeleteOptions)
    case tag(TagOptions)
    case archive(ArchiveOptions)
    case notify(NotifyOptions)
    case status(ReportOptions)
    case stop(StopOptions)
    case config(ConfigOptions)
    case hub(HubOptions)
    case audit(AuditOptions)
    case run(RunOptions)
    case login(LoginOptions)
    case doctor(DoctorOptions)
    case setup(SetupOptions)
    /// Print a subcommand's help page, or the overview.
    case help(about: SubcommandName?)
    /// Print the manual page, in roff.
    case man
    case completions(Shell)
    case version
}

/// The names of the subcommands, in the order in which help lists them.
package enum SubcommandName: String, CaseIterable, Sendable {
    case stdio, run, login, connect, serve, attach, prompt, answer, cancel, set, sessions, rename, tag, archive, delete
    case search, usage, diff, export, `import`, agents, open, share, token, notify, status, stop, config, hub, setup,
        doctor,
        audit
    case help, man, completions
}

extension SubcommandName: ArgumentValue {}
