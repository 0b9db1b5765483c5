// This library is loaded into a bridge before the C library (ld.so(8), LD_PRELOAD). It simulates a disk that is slow,
// full or read-only, and a clock that jumps. The file that FAULTS_FILE names contains the current faults in one line:
//
//     CLOCK_OFFSET_SECONDS WRITE_DELAY_MILLISECONDS WRITE_ERRNO SYNC_ERRNO
//
// Only writes to files whose path contains FAULTS_PATH are affected, and syncs of these files.
//
// After a failed sync, Linux takes the bytes to be on disk although they are not, and the next sync succeeds. The path of such a
// file of the log is added to FAULTS_FILE.failed. If it is the WAL, its path is added to FAULTS_FILE.lost after the next sync, or
// to FAULTS_FILE.kept if its bytes were written again before, from the front to the end.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

struct faults { long long offset; int delay; int error; int sync_error; };

static struct faults current(void) {
    struct faults faults = {0, 0, 0, 0};
    const char *path = getenv("FAULTS_FILE");
    int fd = path ? (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC) : -1;
    if (fd < 0) return faults;
    char text[96] = "";
    ssize_t count = read(fd, text, sizeof text - 1);
    syscall(SYS_close, fd);
    if (count > 0) sscanf(text, "%lld %d %d %d", &faults.offset, &faults.delay, &faults.error, &faults.sync_error);
    return faults;
}

static int has_path(int fd, char *path, size_t size) {
    char link[48];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t count = readlink(link, path, size - 1);
    path[count < 0 ? 0 : count] = 0;
    return count >= 0;
}

static int concerns(int fd) {
    const char *part = getenv("FAULTS_PATH");
    char path[4096];
    return part && has_path(fd, path, sizeof path) && strstr(path, part) != NULL;
}

/// The bytes of a WAL that only the page cache has: those that the next sync includes, and those that a failed sync has lost.
struct range { off_t start, end; };
static struct cached { ino_t file; struct range unsynced, lost; int has_failed; } cached[64];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/// Call with the lock. Returns NULL for files other than a WAL.
static struct cached *cached_of(int fd) {
    char path[4096];
    struct stat status;
    if (!concerns(fd) || !has_path(fd, path, sizeof path) || !strstr(path, ".db-wal") || fstat(fd, &status)) return NULL;
    for (int i = 0; i < 64; i++) {
        if (!cached[i].file) cached[i].file = status.st_ino;
        if (cached[i].file == status.st_ino) return &cached[i];
    }
    return NULL;
}

static void wrote(int fd, off_t start, off_t end) {
    pthread_mutex_lock(&lock);
    struct cached *file = cached_of(fd);
    if (file) {
        struct range *unsynced = &file->unsynced, *lost = &file->lost;
        if (unsynced->start == unsynced->end) *unsynced = (struct range){start, end};
        if (start < unsynced->start) unsynced->start = start;
        if (end > unsynced->end) unsynced->end = end;
        if (start <= lost->start && end > lost->start) lost->start = end < lost->end ? end : lost->end;
    }
    pthread_mutex_unlock(&lock);
}

static void report(int fd, const char *state) {
    char name[4096], path[4096];
    if (!has_path(fd, path, sizeof path)) return;
    snprintf(name, sizeof name, "%s.%s", getenv("FAULTS_FILE"), state);
    int list = (int)syscall(SYS_openat, AT_FDCWD, name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    dprintf(list, "%s\n", path);
    syscall(SYS_close, list);
}

static void synced(int fd, int has_failed) {
    pthread_mutex_lock(&lock);
    struct cached *file = cached_of(fd);
    if (has_failed && (!file || file->unsynced.start < file->unsynced.end)) report(fd, "failed");
    if (file && has_failed && file->unsynced.start < file->unsynced.end) {
        struct range *unsynced = &file->unsynced, *lost = &file->lost;
        if (lost->start == lost->end) *lost = *unsynced;
        if (unsynced->start < lost->start) lost->start = unsynced->start;
        if (unsynced->end > lost->end) lost->end = unsynced->end;
    }
    if (file) file->unsynced = (struct range){0, 0};
    int is_lost = file && file->lost.start < file->lost.end;
    if (file && !has_failed && file->has_failed) report(fd, is_lost ? "lost" : "kept");
    if (file) file->has_failed = has_failed ? file->has_failed || is_lost : file->has_failed && is_lost;
    pthread_mutex_unlock(&lock);
}

/// Returns 0, or -1 with errno if the write must fail.
static int suffer(int fd) {
    if (!concerns(fd)) return 0;
    struct faults faults = current();
    if (faults.delay > 0) usleep((useconds_t)faults.delay * 1000);
    if (faults.error == 0) return 0;
    errno = faults.error;
    return -1;
}

static int sync_file(int fd, long call) {
    if (!concerns(fd)) return (int)syscall(call, fd);
    if (suffer(fd)) return -1;
    int error = current().sync_error;
    synced(fd, error != 0);
    if (error == 0) return (int)syscall(call, fd);
    errno = error;
    return -1;
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off_t offset) {
    ssize_t written = suffer(fd) ? -1 : syscall(SYS_pwrite64, fd, bytes, count, offset);
    if (written > 0) wrote(fd, offset, offset + written);
    return written;
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset) { return pwrite64(fd, bytes, count, offset); }

ssize_t write(int fd, const void *bytes, size_t count) {
    return suffer(fd) ? -1 : syscall(SYS_write, fd, bytes, count);
}

int fsync(int fd) { return sync_file(fd, SYS_fsync); }

int fdatasync(int fd) { return sync_file(fd, SYS_fdatasync); }

int clock_gettime(clockid_t clock, struct timespec *time) {
    int result = (int)syscall(SYS_clock_gettime, clock, time);
    if (result == 0 && clock == CLOCK_REALTIME) time->tv_sec += current().offset;
    return result;
}

int gettimeofday(struct timeval *time, void *zone) {
    (void)zone;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    time->tv_sec = now.tv_sec;
    time->tv_usec = now.tv_nsec / 1000;
    return 0;
}
