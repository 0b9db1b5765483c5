#include "library.h"

#include "CLibrary.h"
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
    // libcrypto contains some of the functions. libssl is linked to the libcrypto that was opened first.
    void *library = clibrary_open("libcrypto.so.3") ? clibrary_open("libssl.so.3") : NULL;
    if (!library) return clibrary_failure();
    if (!find_all(library)) return dlerror();
    ctls_transport = ctls_make_transport();
    return ctls_transport ? NULL : "out of memory";
}
