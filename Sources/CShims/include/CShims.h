#ifndef CSHIMS_H
#define CSHIMS_H

// Features that Swift's Glibc module does not provide: headers missing from its module map, functions that need
// _GNU_SOURCE, control-message macros, and a spawn that sets the death signal between fork and exec.

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/socket.h>
#include <sys/types.h>

int cshims_pidfd_open(pid_t pid);
int cshims_pidfd_send_signal(int pidfd, int signal);
int cshims_pipe(int fds[2]);
int cshims_accept(int listener);
int cshims_set_pipe_capacity(int fd, int bytes);
int cshims_become_subreaper(void);

/// PR_SET_DUMPABLE of prctl(2): 0 or 1.
int cshims_set_dumpable(int dumpable);

/// Names the calling thread for `top -H`; at most 15 bytes.
void cshims_name_thread(const char *name);

/// Gives the calling thread the lowest priority of setpriority(2). It cannot be raised again.
void cshims_lower_thread_priority(void);

/// Returns an inotify descriptor, or -1. It is non-blocking and close-on-exec, and becomes readable when a name
/// disappears from the folder, when another file is moved there and may have taken a name, or when the folder itself
/// disappears.
int cshims_watch_losses(const char *folder);

/// The number of bytes that can be read from a pipe or socket at once; 0 if unknown.
int cshims_waiting_bytes(int fd);

/// Memory blocks of this size and more are returned to the system as soon as they are freed, and smaller ones when twice
/// this size is free at the end of the heap (mallopt(3)).
void cshims_return_freed_blocks(int bytes);

/// Lets the calling thread's heap grow by this much in one step. glibc would extend it by 4 KiB at a time, each time with
/// mprotect(2). Memory is used only when it is written. `bytes` must be less than those of ``cshims_return_freed_blocks``.
void cshims_extend_heap(size_t bytes);

/// Unmaps the pages of the program's and its libraries' files that are never written: code and constants. Each page is
/// mapped again when it is used; its bytes stay in the page cache meanwhile. After the start, this drops what only the
/// start needed. A debugger's breakpoint in such a page is lost.
void cshims_unmap_code(void);

/// Gives a part of a file back to the disk. The part then reads as zeros, and the file keeps its size. On a file system
/// that cannot do this, zeros are written instead. Returns -1 on failure.
int cshims_free_range(int fd, off_t start, off_t count);

/// Creates a file in memory, close-on-exec (memfd_create(2)). Returns -1 on failure.
int cshims_memory_file(const char *name);

/// Sends a part of a file to a socket by reference to its pages, and returns as write(2) does. Raises SIGPIPE, unlike send(2).
ssize_t cshims_send_file(int socket, int file, off_t offset, size_t count);

int cshims_random(void *bytes, size_t count);

/// The user id at the other end of a connected Unix socket, or -1.
long cshims_peer_user(int socket);

/// Sends `count` bytes, with `fd_count` descriptors attached to the first byte. Returns the result of sendmsg(2).
ssize_t cshims_send_descriptors(int socket, const void *bytes, size_t count, const int *fds, int fd_count);

/// Receives bytes, and up to `fd_limit` descriptors that arrive with them, close-on-exec. Further descriptors are
/// closed. `*fd_count` is set to the number of stored descriptors. Returns the result of recvmsg(2). Never blocks.
ssize_t cshims_receive_descriptors(int socket, void *bytes, size_t count, int *fds, int fd_limit, int *fd_count);

/// Returns whether systemd has marked the folder of a control group as delegated to its service.
int cshims_is_delegated(const char *folder);

/// Makes the terminal on standard input pass on each key as it is pressed, without echo, and mark pasted text. Ctrl-C and
/// Ctrl-Z still send signals, and no longer drop the input before them. Enter sends CR. At exit(3) and when a signal ends
/// the process, the terminal gets its previous modes back. Call again after the process was stopped, because a shell
/// changes the modes. Not for several threads at once. Returns -1 on failure.
int cshims_begin_line_editing(void);

/// Gives the terminal its previous modes back. Returns 1 if it did not have them. In the background, where the terminal has
/// the modes of the shell, it only forgets its own.
int cshims_end_line_editing(void);

/// A limit of setrlimit(2). A value above the parent's hard limit becomes that limit.
struct cshims_limit {
    int resource;             ///< RLIMIT_DATA, for example
    unsigned long soft, hard;
};

struct cshims_spawn {
    const char *path;        ///< the program's file; no search is made
    char *const *arguments;  ///< NULL-terminated
    char *const *environment;
    const char *directory;
    int streams[3];          ///< become descriptors 0, 1 and 2; each must be 3 or more
    int death_signal;        ///< sent to the child when the spawning thread ends; 0 for none
    int file_mode_mask;      ///< the child's umask; negative to inherit
    long open_files;         ///< the child's soft limit of open files; 0 to inherit
    int sets_core_limit;     ///< whether `core_limit` holds; 0 to inherit
    unsigned long core_limit;  ///< the child's soft limit of core files in bytes
    const struct cshims_limit *limits;  ///< further limits of the child
    int limit_count;
    int group;               ///< `cgroup.procs` of the control group that the child joins; negative for none
};

enum cshims_spawn_stage { cshims_stage_fork, cshims_stage_group, cshims_stage_directory, cshims_stage_exec };

/// Starts a program in its own session and process group, with default signal handling, an empty signal mask and only
/// the three standard streams. Returns 0, or an errno and the stage that failed.
int cshims_spawn(const struct cshims_spawn *request, pid_t *pid, enum cshims_spawn_stage *stage);

#endif
