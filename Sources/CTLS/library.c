#include "library.h"

#include "CTLS.h"

#include <dlfcn.h>
#include <stdbool.h>

struct ctls_functions tls;
BIO_METHOD *ctls_transport;

static bool find_all(void *library) {
#define CTLS_FIND(name) \
    if (!(tls.name = (__typeof__(tls.name))dlsym(library, #name))) return false;
    CTLS_FUNCTIONS(CTLS_FIND)
#undef CTLS_FIND
    return true;
}

const char *ctls_load(void) {
    // This also loads libcrypto, which contains some of the functions.
    void *library = dlopen("libssl.so.3", RTLD_NOW | RTLD_LOCAL);
    if (!library || !find_all(library)) return dlerror();
    ctls_transport = ctls_make_transport();
    return ctls_transport ? NULL : "out of memory";
}
