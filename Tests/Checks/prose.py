#!/usr/bin/env python3
"""Fails if the project's prose has more odd turns of phrase than it had before.

Reads the comments of Swift, C and shell files and the Markdown outside code blocks. The count is a hint, not a judge: a
sentence is rewritten because it is hard to read, never because of this number.
"""
import pathlib
import re
import sys

# Odd turns of phrase per 1,000 lines of prose. Lower it when the prose gets better; never raise it.
LIMIT = 2

ODD = [
    r"(?:^|[.:;] )(?:What|Who|Whoever) (?!\w+[^.?]*\?)\w+",  # a clause as the subject: "What is sent is stored"
    r"\b(?:whoever|whom|nobody's|nobody)\b",
    r"\b(?:says|said|tells|told)\b",  # a program returns, sends or reports
    r"\b(?:goes|go|gone|went|going) on\b",  # continues
    r"\b(?:anew|any more)\b",  # again, no longer
    r"\bbehind (?:it|them|that)\b",  # after
    r"\bis to be\b|\bare to be\b",  # must, will
    r"\bof (?:whom|what|those)\b",
    r"\b[Ww]here (?:there|none|nobody|one) (?:is|are|was)\b",  # if, when
]
PATTERN = re.compile("|".join(ODD))
ROOTS = ["Sources", "Tests", "Agents", "Protocol", "README.md", "Package.swift"]


def markdown(lines):
    is_code = False
    for line in lines:
        if line.lstrip().startswith("```"):
            is_code = not is_code
        elif not is_code and line.strip():
            yield line


def comments(lines, mark):
    for line in lines:
        found = re.match(rf"\s*{mark}\s?(\S.*)", line) or re.search(rf"\s{mark}\s(\S.*)", line)
        if found:
            yield found.group(1)


def prose(path):
    lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    if path.suffix == ".md":
        return markdown(lines)
    if path.suffix in (".swift", ".c", ".h"):
        return comments(lines, "//[/!]?")
    return comments(lines, "#(?!!)") if path.suffix == ".sh" else []


def main():
    count = odd = 0
    worst = []
    for root in map(pathlib.Path, ROOTS):
        for path in [root] if root.is_file() else sorted(root.rglob("*")):
            if not path.is_file() or "Fixtures" in path.parts:
                continue
            for text in prose(path):
                text = re.sub(r"`[^`]*`", "", text)
                found = len(PATTERN.findall(text))
                count += 1
                odd += found
                if found:
                    worst.append(f"{path}: {text.strip()}")
    rate = 1000 * odd / max(count, 1)
    print(f"{odd} odd turns of phrase in {count} lines of prose: {rate:.1f} per 1,000 (limit {LIMIT})")
    if rate > LIMIT:
        print("\n".join(worst[:40]))
        return 1
    return 0


sys.exit(main())
