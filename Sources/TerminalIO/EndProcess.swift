import CShims
import Glibc

/// Ends this process with the signal that killed the agent, so that the editor sees the same exit as without the
/// bridge. Core dumps are disabled, because a core file would show the wrong program.
package func endProcess(withSignal number: Int32) -> Never {
    var limit = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
    cshims_end_line_editing()
    signal(number, SIG_DFL)
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, number)
    sigprocmask(SIG_UNBLOCK, &set, nil)
    kill(getpid(), number)
    exit(128 + number)
}
