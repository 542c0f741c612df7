#!/usr/bin/env python3
"""Makes the pictures of the report in the book: runs the commands below and photographs their pages in Chromium.

Usage: book/screenshots.py [PATH OF specwright]

Chromium is driven through a pipe with the DevTools protocol, so that nothing but Python and Chromium is needed.
"""

import base64
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
IMAGES = ROOT / "book/src/images"
GOALS = ["--internal", "left,right,chime", "--criterion", "decision"]


class Browser:
    """A browser with one page."""

    def __init__(self, folder):
        to_child, self.to = os.pipe()
        self.source, from_child = os.pipe()
        program = next(filter(None, map(shutil.which, ["chromium", "chromium-browser", "google-chrome"])), None)
        if program is None:
            sys.exit("Chromium is not installed")
        # The protocol is spoken over the descriptors 3 and 4, which a shell connects.
        command = f'exec "$@" 3<&{to_child} 4>&{from_child} >/dev/null 2>&1'
        flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-pipe"]
        self.child = subprocess.Popen(
            ["bash", "-c", command, "bash", program, *flags, f"--user-data-dir={folder}"], pass_fds=[to_child, from_child]
        )
        self.session, self.n_sent, self.bytes = {}, 0, b""
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = {"sessionId": self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]}
        self.ask("Page.enable")

    def ask(self, method, **params):
        self.n_sent += 1
        message = {"id": self.n_sent, "method": method, "params": params, **self.session}
        os.write(self.to, json.dumps(message).encode() + b"\0")
        return self.wait(lambda answer: answer.get("id") == self.n_sent)["result"]

    def wait(self, is_it):
        while True:
            while b"\0" not in self.bytes:
                self.bytes += os.read(self.source, 1 << 20)
            first, self.bytes = self.bytes.split(b"\0", 1)
            message = json.loads(first)
            if is_it(message):
                return message

    def photograph(self, page, name, width, height, theme="light", script="0"):
        """Opens a page, runs a script in it, and writes what the window shows."""
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])
        self.ask("Page.navigate", url=page.as_uri())
        self.wait(lambda message: message.get("method") == "Page.loadEventFired")
        self.ask("Runtime.evaluate", expression=script)
        data = self.ask("Page.captureScreenshot", format="png")["data"]
        (IMAGES / name).write_bytes(base64.b64decode(data))
        print(name)


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "target/release/specwright")
    program = os.path.abspath(shutil.which(program) or sys.exit(f"{program} is not a program"))
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)

        def specwright(*args, results=None, cwd=ROOT):
            done = subprocess.run([program, *args], cwd=cwd, stdout=results or subprocess.DEVNULL, stderr=subprocess.PIPE)
            if done.returncode not in (0, 2):  # 2: a test failed, or a mutant survived
                sys.exit(f"{' '.join(args)}:\n{done.stderr.decode()}")

        def page(name, *args, **options):
            specwright("report", *args, "--out", str(folder / name), **options)
            return folder / name

        def verdicts(name, *args, **options):
            with open(folder / name, "wb") as results:
                specwright("run", *args, "--format", "json", *options.pop("then"), results=results, **options)
            return str(folder / name)

        browser = Browser(folder / "profile")
        try:
            safety = page("safety.html", "examples/safety-injection/safety_injection.smv", "examples/safety-injection/tables.suite")
            browser.photograph(safety, "report.png", 1200, 1710)
            for width in 1200, 800, 400:
                for theme in "light", "dark":
                    browser.photograph(safety, f"report-{width}-{theme}.png", width, 900, theme)

            first = ["--", "python3", "examples/barrier/first.py"]
            failed = verdicts("barrier.json", "examples/barrier/suite.json", then=first)
            show = """
                for (const [id, value] of [["test", test.options.length - 1], ["view", "sequence"]]) {
                    const select = document.getElementById(id);
                    select.value = value;
                    select.dispatchEvent(new Event("change"));
                }
                document.getElementById("last").click();
                document.getElementById("trace").scrollIntoView();"""
            browser.photograph(page("barrier.html", failed), "report-sequence.png", 1000, 800, script=show)

            for suffix in ".smv", ".py":
                shutil.copy(f"{ROOT}/examples/flight-guidance/flight_guidance{suffix}", folder)
            model = ["flight_guidance.smv", *GOALS]
            specwright("generate", *model, "--out", "decision.json", cwd=folder)
            fault = ["--", "python3", "flight_guidance.py", "--fault", "4"]
            verdicts("run.json", "decision.json", "--recorded", then=fault, cwd=folder)
            graded = page("guidance.html", model[0], "decision.json", *GOALS, "--with", "run.json", cwd=folder)
            browser.photograph(graded, "flight-guidance.png", 1200, 900)
        finally:
            browser.child.terminate()
            browser.child.wait()


main()
