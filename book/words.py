#!/usr/bin/env python3
"""Counts the words of the book: prose alone, and everything.

Usage: book/words.py

Prose is what is read in sentences. Blocks of code and terminal sessions, tables and headings are reference.
"""

import pathlib
import re

SOURCE = pathlib.Path(__file__).resolve().parent / "src"


def prose(text):
    """The text without fenced blocks, tables and headings."""
    text = re.sub(r"^\s*(```+)[^\n]*\n.*?^\s*\1\s*$", "", text, flags=re.MULTILINE | re.DOTALL)
    return "\n".join(line for line in text.split("\n") if not line.lstrip().startswith(("|", "#")))


def main():
    rows = []
    for path in SOURCE.rglob("*.md"):
        text = path.read_text(encoding="utf-8")
        if path.name != "SUMMARY.md":
            rows.append((len(prose(text).split()), len(text.split()), str(path.relative_to(SOURCE))))
    for n_prose, n_words, name in sorted(rows):
        print(f"{n_prose:6} {n_words:6}  {name}")
    print(f"{sum(row[0] for row in rows):6} {sum(row[1] for row in rows):6}  in all")


if __name__ == "__main__":
    main()
