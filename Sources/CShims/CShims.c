#define _GNU_SOURCE
#include "CShims.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <malloc.h>
#include <signal.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

int cshims_pidfd_open(pid_t pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

int cshims_pidfd_send_signal(int pidfd, int signal) {
    return (int)syscall(SYS_pidfd_send_signal, pidfd, signal, NULL, 0);
}

ssize_t cshims_send_file(int socket, int file, off_t offset, size_t count) {
    return sendfile(socket, file, &offset, count);
}

int cshims_memory_file(const char *name) { return memfd_create(name, MFD_CLOEXEC); }

int cshims_pipe(int fds[2]) { return pipe2(fds, O_CLOEXEC); }

int cshims_accept(int listener) { return accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC); }

int cshims_set_pipe_capacity(int fd, int bytes) { return fcntl(fd, F_SETPIPE_SZ, bytes); }

static int write_zeros(int fd, off_t start, off_t count) {
    static const char zeros[65536];
    while (count > 0) {
        ssize_t written = pwrite(fd, zeros, count < (off_t)sizeof zeros ? (size_t)count : sizeof zeros, start);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return -1;
        start += written;
        count -= written;
    }
    return 0;
}

int cshims_free_range(int fd, off_t start, off_t count) {
    int result;
    do result = fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, start, count);
    while (result != 0 && errno == EINTR);
    return result != 0 && errno == EOPNOTSUPP ? write_zeros(fd, start, count) : result;
}

int cshims_watch_losses(const char *folder) {
    int fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (fd < 0) return -1;
    if (inotify_add_watch(fd, folder, IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR) >= 0) return fd;
    int failure = errno;
    close(fd);
    errno = failure;
    return -1;
}

int cshims_waiting_bytes(int fd) {
    int count = 0;
    return ioctl(fd, FIONREAD, &count) == 0 && count > 0 ? count : 0;
}

int cshims_become_subreaper(void) { return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }

int cshims_set_dumpable(int dumpable) { return prctl(PR_SET_DUMPABLE, dumpable, 0, 0, 0); }

// Not by way of /proc/thread-self/comm, which belongs to root while the process is not dumpable.
void cshims_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

// On Linux a thread has a priority of its own, and 0 is the calling thread.
void cshims_lower_thread_priority(void) { setpriority(PRIO_PROCESS, 0, 19); }

void cshims_return_freed_blocks(int bytes) {
    mallopt(M_MMAP_THRESHOLD, bytes);
    // Without this, glibc gives memory back, and takes it again, for each batch of 128 KiB.
    mallopt(M_TRIM_THRESHOLD, 2 * bytes);
}

void cshims_extend_heap(size_t bytes) {
    // The compiler could omit a pair of calls without a use between them.
    void *volatile block = malloc(bytes);
    free(block);
}

static int unmap_unwritten(struct dl_phdr_info *file, size_t size, void *unused) {
    (void)size;
    (void)unused;
    const uintptr_t page = sysconf(_SC_PAGESIZE);
    for (int index = 0; index < file->dlpi_phnum; index++) {
        const ElfW(Phdr) *part = &file->dlpi_phdr[index];
        // A private page that was written would lose its changes.
        if (part->p_type != PT_LOAD || (part->p_flags & PF_W)) continue;
        uintptr_t start = (file->dlpi_addr + part->p_vaddr) & -page;
        uintptr_t end = (file->dlpi_addr + part->p_vaddr + part->p_memsz + page - 1) & -page;
        // The kernel refuses this for its own part (the vDSO), which needs nothing.
        madvise((void *)start, end - start, MADV_DONTNEED);
    }
    return 0;
}

void cshims_unmap_code(void) { dl_iterate_phdr(unmap_unwritten, NULL); }

int cshims_random(void *bytes, size_t count) { return getrandom(bytes, count, 0) == (ssize_t)count ? 0 : -1; }

long cshims_peer_user(int socket) {
    struct ucred credentials;
    socklen_t size = sizeof credentials;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0) return -1;
    return (long)credentials.uid;
}

// Since Linux 5.11. The headers of Debian 12 define it only in <linux/close_range.h>.
#ifndef CLOSE_RANGE_CLOEXEC
#define CLOSE_RANGE_CLOEXEC (1U << 2)
#endif

enum { descriptor_limit = 8 };

ssize_t cshims_send_descriptors(int socket, const void *bytes, size_t count, const int *fds, int fd_count) {
    if (fd_count < 0 || fd_count > descriptor_limit) { errno = EINVAL; return -1; }
    union { char space[CMSG_SPACE(descriptor_limit * sizeof(int))]; struct cmsghdr align; } control;
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (fd_count > 0) {
        memset(&control, 0, sizeof control);
        message.msg_control = control.space;
        message.msg_controllen = CMSG_SPACE(fd_count * sizeof(int));
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(fd_count * sizeof(int));
        memcpy(CMSG_DATA(header), fds, fd_count * sizeof(int));
    }
    return sendmsg(socket, &message, MSG_NOSIGNAL);
}

ssize_t cshims_receive_descriptors(int socket, void *bytes, size_t count, int *fds, int fd_limit, int *fd_count) {
    union { char space[CMSG_SPACE(descriptor_limit * sizeof(int))]; struct cmsghdr align; } control;
    struct iovec part = {.iov_base = bytes, .iov_len = count};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.space, .msg_controllen = sizeof control.space};
    *fd_count = 0;
    ssize_t received = recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (received < 0) return received;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        int sent = (int)((header->cmsg_len - CMSG_LEN(0)) / sizeof(int));
        const unsigned char *data = CMSG_DATA(header);
        for (int i = 0; i < sent; i++) {
            int fd;
            memcpy(&fd, data + i * sizeof(int), sizeof fd);
            if (*fd_count < fd_limit) fds[(*fd_count)++] = fd;
            else close(fd);
        }
    }
    return received;
}

int cshims_is_delegated(const char *folder) {
    char value;
    if (getxattr(folder, "user.delegate", &value, 1) == 1 && value == '1') return 1;
    return getxattr(folder, "trusted.delegate", &value, 1) == 1 && value == '1';
}

/// The message that a child sends to its parent when it could not start the program.
struct spawn_failure { int code; enum cshims_spawn_stage stage; };

/// Runs in the child between vfork and exec, so it makes only system calls and does not allocate. It returns only on
/// failure.
static struct spawn_failure become(const struct cshims_spawn *request, pid_t parent) {
    struct sigaction standard = {.sa_handler = SIG_DFL};
    for (int number = 1; number < NSIG; number++) sigaction(number, &standard, NULL);
    setsid();
    if (request->death_signal != 0) {
        prctl(PR_SET_PDEATHSIG, request->death_signal, 0, 0, 0);
        if (getppid() != parent) _exit(127);  // the parent ended before prctl: no death signal would come
    }
    if (request->file_mode_mask >= 0) umask((mode_t)request->file_mode_mask);
    struct rlimit files;
    if (request->open_files > 0 && getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = (rlim_t)request->open_files;
        setrlimit(RLIMIT_NOFILE, &files);
    }
    struct rlimit core;
    if (request->sets_core_limit && getrlimit(RLIMIT_CORE, &core) == 0) {
        core.rlim_cur = request->core_limit < core.rlim_max ? request->core_limit : core.rlim_max;
        setrlimit(RLIMIT_CORE, &core);
    }
    for (int index = 0; index < request->limit_count; index++) {
        const struct cshims_limit *limit = &request->limits[index];
        struct rlimit value;
        if (getrlimit(limit->resource, &value) != 0) continue;
        if (limit->hard < value.rlim_max) value.rlim_max = limit->hard;
        value.rlim_cur = limit->soft < value.rlim_max ? limit->soft : value.rlim_max;
        setrlimit(limit->resource, &value);
    }
    // Before the streams, which can take the number of the descriptor.
    if (request->group >= 0 && write(request->group, "0", 1) != 1) return (struct spawn_failure){errno, cshims_stage_group};
    for (int stream = 0; stream < 3; stream++) dup2(request->streams[stream], stream);
    syscall(SYS_close_range, 3, ~0U, CLOSE_RANGE_CLOEXEC);
    if (chdir(request->directory) != 0) return (struct spawn_failure){errno, cshims_stage_directory};
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execve(request->path, request->arguments, request->environment);
    return (struct spawn_failure){errno, cshims_stage_exec};
}

/// Waits until the child starts the program, which closes the pipe, or reports its failure.
static int await_exec(int report, pid_t child, enum cshims_spawn_stage *stage) {
    struct spawn_failure failure;
    ssize_t count;
    while ((count = read(report, &failure, sizeof failure)) < 0 && errno == EINTR) {}
    if (count != (ssize_t)sizeof failure) return 0;
    int status;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    *stage = failure.stage;
    return failure.code;
}

int cshims_spawn(const struct cshims_spawn *request, pid_t *pid, enum cshims_spawn_stage *stage) {
    int report[2];
    *stage = cshims_stage_fork;
    // Uses a pipe, not shared memory, because vfork is a fork under a sanitizer.
    if (pipe2(report, O_CLOEXEC) != 0) return errno;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);  // no signal handler must run on the stack that is shared with the child
    pid_t parent = getpid();
    pid_t child = vfork();
    if (child == 0) {
        struct spawn_failure failure = become(request, parent);
        ssize_t written = write(report[1], &failure, sizeof failure);
        _exit(written < 0 ? 126 : 127);
    }
    int code = child < 0 ? errno : 0;
    close(report[1]);
    if (child > 0) code = await_exec(report[0], child, stage);
    close(report[0]);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    *pid = child;
    return code;
}
