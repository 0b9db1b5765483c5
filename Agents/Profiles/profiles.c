#include "CProfiles.h"

// `#embed` is C23. Clang accepts it in every mode, with a warning.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char amp[] = {
#embed "amp.json"
};
static const unsigned char auggie[] = {
#embed "auggie.json"
};
static const unsigned char claude[] = {
#embed "claude.json"
};
static const unsigned char cline[] = {
#embed "cline.json"
};
static const unsigned char codex[] = {
#embed "codex.json"
};
static const unsigned char copilot[] = {
#embed "copilot.json"
};
static const unsigned char cursor[] = {
#embed "cursor.json"
};
static const unsigned char demo[] = {
#embed "demo.json"
};
static const unsigned char droid[] = {
#embed "droid.json"
};
static const unsigned char fast_agent[] = {
#embed "fast-agent.json"
};
static const unsigned char gemini[] = {
#embed "gemini.json"
};
static const unsigned char goose[] = {
#embed "goose.json"
};
static const unsigned char kimi[] = {
#embed "kimi.json"
};
static const unsigned char opencode[] = {
#embed "opencode.json"
};
static const unsigned char qwen[] = {
#embed "qwen.json"
};
static const unsigned char vibe[] = {
#embed "vibe.json"
};

#define PROFILE(name, bytes) {name, bytes, sizeof(bytes)}

static const struct embedded_profile profiles[] = {
    PROFILE("amp", amp),
    PROFILE("auggie", auggie),
    PROFILE("claude", claude),
    PROFILE("cline", cline),
    PROFILE("codex", codex),
    PROFILE("copilot", copilot),
    PROFILE("cursor", cursor),
    PROFILE("demo", demo),
    PROFILE("droid", droid),
    PROFILE("fast-agent", fast_agent),
    PROFILE("gemini", gemini),
    PROFILE("goose", goose),
    PROFILE("kimi", kimi),
    PROFILE("opencode", opencode),
    PROFILE("qwen", qwen),
    PROFILE("vibe", vibe),
    {NULL, NULL, 0},
};

const struct embedded_profile *embedded_profiles(void) {
    return profiles;
}
