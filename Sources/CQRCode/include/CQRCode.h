#ifndef CQRCODE_H
#define CQRCODE_H

// Uses libqrencode to make QR codes (ISO/IEC 18004). The library is loaded when the first code is made.

#include <stdbool.h>

/// Loads libqrencode if it is not loaded yet. Returns null on success, otherwise the linker's error text.
const char *cqrcode_load(void);

/// One QR code.
typedef struct cqrcode cqrcode;

/// Makes a QR code of this text, of the smallest version that holds it, with error correction level L (7 %). Returns null
/// if the library is missing, the text is longer than a QR code can hold, or memory is short.
cqrcode *cqrcode_encode(const char *text);

/// The number of modules on each side, without the quiet zone: 21 to 177.
int cqrcode_width(const cqrcode *code);

/// Returns whether a module is dark. Both coordinates must be less than the width.
bool cqrcode_is_dark(const cqrcode *code, int column, int row);

void cqrcode_free(cqrcode *code);

#endif
