#!/usr/bin/env python3
"""Records a terminal session as an animated SVG: runs the commands below and draws what they print.

Usage: book/demo.py [PATH OF specwright] > book/src/images/demo.svg

The same output gives the same bytes: times are those below, not those of the run. Viewers that do not animate pictures, and
people who prefer no motion, see the last frame.
"""

import html
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
# A command, and how many seconds its output stays the last thing that is shown.
SESSION = [
    ("specwright check barrier.smv", 2.5),
    ("specwright generate barrier.smv --out suite.json", 3.5),
    ("specwright run suite.json -- python3 first.py", 4.5),
    ("specwright audit barrier.smv", 6.0),
]
KEY = 0.035  # seconds for each typed letter
ROWS, COLUMNS, LINE, CHAR = 26, 96, 18, 8.43
COLORS = {"holds": "ok", "fail": "bad", "score": "head", "error": "bad"}


def outputs(program):
    """What each command prints, in a folder with the files of the example."""
    with tempfile.TemporaryDirectory() as folder:
        for file in (ROOT / "examples/barrier").iterdir():
            if file.suffix in (".smv", ".py"):
                shutil.copy(file, folder)
        for command, pause in SESSION:
            args = [program, *shlex.split(command)[1:]]
            done = subprocess.run(args, cwd=folder, capture_output=True, text=True, env={"NO_COLOR": "1", "PATH": "/usr/bin:/bin"})
            yield command, (done.stdout + done.stderr).rstrip("\n").split("\n"), pause


def frames(program):
    """Times and screens: lists of (line, class)."""
    screen, now = [], 0.0
    for command, lines, pause in outputs(program):
        screen.append(("$ ", "prompt"))
        for n in range(0, len(command) + 1, 3):
            yield now, [*screen[:-1], ("$ " + command[:n] + "▌", "prompt")]
            now += 3 * KEY
        screen[-1] = ("$ " + command, "prompt")
        now += 0.3
        kept = lines if len(lines) <= 18 else [*lines[:17], "…"]
        screen += [(line, COLORS.get(line.split(" ")[0], "out")) for line in kept]
        screen = screen[-ROWS:]
        yield now, list(screen)
        now += pause
        screen.append(("", "out"))
    yield now, None


def draw(program):
    shown = list(frames(program))
    end = shown[-1][0]
    width, height = round(COLUMNS * CHAR) + 32, ROWS * LINE + 60
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">',
        "<title>A terminal session: check, generate, run and audit the barrier of a car park</title>",
        "<style>",
        f"text{{font:14px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#d8dee9;white-space:pre}}",
        ".prompt{fill:#fff;font-weight:600}.ok{fill:#a3be8c}.bad{fill:#f2777a}.head{fill:#ffcc66}",
        f".f{{visibility:hidden;animation:{end:.2f}s steps(1) infinite}}",
    ]
    for n, ((start, _), (stop, _)) in enumerate(zip(shown, shown[1:])):
        a, b = 100 * start / end, 100 * stop / end
        last = n == len(shown) - 2
        keys = f"{a:.3f}%{{visibility:visible}}" + ("" if last else f"{b:.3f}%{{visibility:hidden}}")
        out.append(f"@keyframes k{n}{{0%{{visibility:hidden}}{keys}}}#f{n}{{animation-name:k{n}}}")
    final = len(shown) - 2
    out += [
        f"@media(prefers-reduced-motion:reduce){{.f{{animation:none}}#f{final}{{visibility:visible}}}}",
        "</style>",
        f'<rect width="{width}" height="{height}" rx="10" fill="#1f2430"/>',
        '<circle cx="20" cy="20" r="6" fill="#f2777a"/><circle cx="40" cy="20" r="6" fill="#ffcc66"/><circle cx="60" cy="20" r="6" fill="#a3be8c"/>',
    ]
    for n, (_, screen) in enumerate(shown[:-1]):
        out.append(f'<g class="f" id="f{n}">')
        for row, (line, kind) in enumerate(screen):
            if line:
                text = html.escape(line[:COLUMNS], quote=False)
                out.append(f'<text x="16" y="{52 + row * LINE}" class="{kind}">{text}</text>')
        out.append("</g>")
    out.append("</svg>")
    print("\n".join(out))


if __name__ == "__main__":
    draw(sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "target/debug/specwright"))
