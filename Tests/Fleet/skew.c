// Shifts the time of day of a program by CLOCK_SKEW seconds: cc -shared -fPIC, and LD_PRELOAD.
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *time) {
    long result = syscall(SYS_clock_gettime, clock, time);
    const char *seconds = getenv("CLOCK_SKEW");
    if (result == 0 && seconds && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) time->tv_sec += atol(seconds);
    return (int)result;
}
