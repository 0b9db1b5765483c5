#ifndef PAGE_FILES_H
#define PAGE_FILES_H

#include <stddef.h>

/// A file of the web page, compiled into the program.
struct page_file {
    /// The path of a request for the file, for example "/page.js".
    const char *path;
    /// The value of Content-Type.
    const char *content_type;
    const unsigned char *bytes;
    size_t size;
};

/// All files: the first of `page_file_count()` elements.
const struct page_file *page_files(void);
size_t page_file_count(void);

#endif
