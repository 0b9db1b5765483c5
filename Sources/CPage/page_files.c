#include "page_files.h"

// An array in Swift of this size takes minutes to compile; #embed takes milliseconds. It is a part of C23 that Clang
// accepts in every mode.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char index_html[] = {
#embed "served/index.html"
};
static const unsigned char page_css[] = {
#embed "served/page.css"
};
static const unsigned char page_js[] = {
#embed "served/page.js"
};
static const unsigned char code_js[] = {
#embed "served/code.js"
};
static const unsigned char service_worker_js[] = {
#embed "served/service-worker.js"
};
static const unsigned char manifest[] = {
#embed "served/manifest.webmanifest"
};
static const unsigned char icon_svg[] = {
#embed "served/icon.svg"
};
static const unsigned char icon_192_png[] = {
#embed "served/icon-192.png"
};
static const unsigned char icon_512_png[] = {
#embed "served/icon-512.png"
};

static const struct page_file files[] = {
    {"/", "text/html; charset=utf-8", index_html, sizeof index_html},
    {"/page.css", "text/css; charset=utf-8", page_css, sizeof page_css},
    {"/page.js", "text/javascript; charset=utf-8", page_js, sizeof page_js},
    {"/code.js", "text/javascript; charset=utf-8", code_js, sizeof code_js},
    {"/service-worker.js", "text/javascript; charset=utf-8", service_worker_js, sizeof service_worker_js},
    {"/manifest.webmanifest", "application/manifest+json", manifest, sizeof manifest},
    {"/icon.svg", "image/svg+xml", icon_svg, sizeof icon_svg},
    {"/icon-192.png", "image/png", icon_192_png, sizeof icon_192_png},
    {"/icon-512.png", "image/png", icon_512_png, sizeof icon_512_png},
};

const struct page_file *page_files(void) { return files; }

size_t page_file_count(void) { return sizeof files / sizeof files[0]; }
