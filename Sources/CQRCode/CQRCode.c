#include "CQRCode.h"

#include "CLibrary.h"

#include <dlfcn.h>
#include <stddef.h>

// The functions of libqrencode that are used, and their structure, as in its soname 4.
struct cqrcode {
    int version;
    int width;
    unsigned char *data;  // one byte per module, row by row; bit 0 is set if the module is dark
};
enum { level_low = 0, any_version = 0 };
static cqrcode *(*encode)(const char *text, int version, int level);
static void (*release)(cqrcode *);

const char *cqrcode_load(void) {
    if (encode) return NULL;
    void *library = clibrary_open("libqrencode.so.4");
    if (!library) return clibrary_failure();
    release = (__typeof__(release))dlsym(library, "QRcode_free");
    __typeof__(encode) found = (__typeof__(encode))dlsym(library, "QRcode_encodeString8bit");
    if (!found || !release) return "libqrencode is too old";
    encode = found;
    return NULL;
}

cqrcode *cqrcode_encode(const char *text) { return cqrcode_load() ? NULL : encode(text, any_version, level_low); }

int cqrcode_width(const cqrcode *code) { return code->width; }

bool cqrcode_is_dark(const cqrcode *code, int column, int row) { return code->data[row * code->width + column] & 1; }

void cqrcode_free(cqrcode *code) {
    if (code && release) release(code);
}
