// This library is loaded into a bridge before the C library (ld.so(8), LD_PRELOAD). It simulates a disk that is slow,
// full or read-only, and a clock that jumps. The file that FAULTS_FILE names contains the current faults in one line:
//
//     CLOCK_OFFSET_SECONDS WRITE_DELAY_MILLISECONDS WRITE_ERRNO
//
// Only writes to files whose path contains FAULTS_PATH are affected.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

struct faults { long long offset; int delay; int error; };

static struct faults current(void) {
    struct faults faults = {0, 0, 0};
    const char *path = getenv("FAULTS_FILE");
    int fd = path ? (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC) : -1;
    if (fd < 0) return faults;
    char text[96] = "";
    ssize_t count = read(fd, text, sizeof text - 1);
    syscall(SYS_close, fd);
    if (count > 0) sscanf(text, "%lld %d %d", &faults.offset, &faults.delay, &faults.error);
    return faults;
}

static int concerns(int fd) {
    const char *part = getenv("FAULTS_PATH");
    char link[48], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t count = part ? readlink(link, path, sizeof path - 1) : -1;
    if (count < 0) return 0;
    path[count] = 0;
    return strstr(path, part) != NULL;
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

ssize_t pwrite64(int fd, const void *bytes, size_t count, off_t offset) {
    return suffer(fd) ? -1 : syscall(SYS_pwrite64, fd, bytes, count, offset);
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset) { return pwrite64(fd, bytes, count, offset); }

ssize_t write(int fd, const void *bytes, size_t count) {
    return suffer(fd) ? -1 : syscall(SYS_write, fd, bytes, count);
}

int fsync(int fd) { return suffer(fd) ? -1 : (int)syscall(SYS_fsync, fd); }

int fdatasync(int fd) { return suffer(fd) ? -1 : (int)syscall(SYS_fdatasync, fd); }

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
