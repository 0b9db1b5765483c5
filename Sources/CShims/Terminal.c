#include "CShims.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

// The modes to restore; only valid while `is_editing` is 1. Signal handlers read both.
static struct termios usual_modes;
static volatile sig_atomic_t is_editing;

// A terminal whose output is stopped (Ctrl-S) must not hold up the end of the process.
static void show(const char *text, size_t count) {
    struct pollfd output = {.fd = STDOUT_FILENO, .events = POLLOUT};
    if (poll(&output, 1, 0) <= 0) return;
    ssize_t written = write(STDOUT_FILENO, text, count);
    (void)written;
}

#define SHOW(text) show(text, sizeof(text) - 1)

// Only calls functions that a signal handler can call. In the background the terminal's modes are those of the shell.
int cshims_end_line_editing(void) {
    if (!is_editing) return 0;
    is_editing = 0;
    pid_t group = tcgetpgrp(STDIN_FILENO);
    if (group >= 0 && group != getpgrp()) return 0;
    tcsetattr(STDIN_FILENO, TCSANOW, &usual_modes);
    SHOW("\033[?2004l");
    return 1;
}

static void end_at_exit(void) { cshims_end_line_editing(); }

// SA_RESETHAND has set the default action, which takes place when this function returns. Text that was typed for this
// process must not become a command of the shell.
static void end_by_signal(int number) {
    int failure = errno;
    if (cshims_end_line_editing()) {
        tcflush(STDIN_FILENO, TCIFLUSH);
        SHOW("\r\n\033[J");
    }
    raise(number);
    errno = failure;
}

static void handle_ends(void) {
    static const int numbers[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGILL, SIGTRAP, SIGABRT, SIGSEGV};
    for (size_t index = 0; index < sizeof numbers / sizeof numbers[0]; index++) {
        struct sigaction known, ending = {.sa_handler = end_by_signal, .sa_flags = SA_RESETHAND};
        sigemptyset(&ending.sa_mask);
        if (sigaction(numbers[index], NULL, &known) == 0 && known.sa_handler == SIG_DFL) {
            sigaction(numbers[index], &ending, NULL);
        }
    }
}

int cshims_begin_line_editing(void) {
    static int is_prepared;
    if (!is_editing && tcgetattr(STDIN_FILENO, &usual_modes) != 0) return -1;
    if (!is_prepared) {
        is_prepared = 1;
        atexit(end_at_exit);
        handle_ends();
    }
    struct termios modes = usual_modes;
    modes.c_iflag &= ~(tcflag_t)(ICRNL | INLCR | IGNCR | ISTRIP);
    modes.c_lflag &= ~(tcflag_t)(ICANON | ECHO | IEXTEN);
    modes.c_lflag |= NOFLSH;
    modes.c_cc[VMIN] = 1;
    modes.c_cc[VTIME] = 0;
    is_editing = 1;
    if (tcsetattr(STDIN_FILENO, TCSANOW, &modes) != 0) {
        is_editing = 0;
        return -1;
    }
    SHOW("\033[?2004h");
    return 0;
}
