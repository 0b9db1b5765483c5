#include "CLibrary.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

// The folders in which distributions install this architecture's libraries: Debian's multiarch folder, then Fedora's,
// then Arch's. Only root can write there.
static const char *const folders[] = {
#if defined(__x86_64__)
    "/usr/lib/x86_64-linux-gnu", "/lib/x86_64-linux-gnu",
#elif defined(__aarch64__)
    "/usr/lib/aarch64-linux-gnu", "/lib/aarch64-linux-gnu",
#endif
    "/usr/lib64", "/lib64", "/usr/lib", "/lib",
};

static _Thread_local char failure[512] = "no library was opened";

/// Finds the first file with that name. If it cannot be loaded, the error is reported; the search does not continue.
static bool find(const char *soname, char *path, size_t room) {
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        int length = snprintf(path, room, "%s/%s", folders[i], soname);
        if (length > 0 && (size_t)length < room && access(path, R_OK) == 0) return true;
    }
    return false;
}

void *clibrary_open(const char *soname) {
    char path[256];
    if (!find(soname, path, sizeof path)) {
        snprintf(failure, sizeof failure, "%s: not found in %s or the system's other library folders", soname, folders[0]);
        return NULL;
    }
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char *words = dlerror();
        snprintf(failure, sizeof failure, "%s", words ? words : path);
    }
    return library;
}

const char *clibrary_failure(void) { return failure; }
