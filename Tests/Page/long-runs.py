"""Measures the page with a long session, in Chromium in front of a real bridge, and prints the results.

    long-runs.py BRIDGE_PROGRAM

The session has 100,000 updates of 160 MB. Nothing is asserted: times depend on the machine. The CPU time of a task is that of
the page's thread, and does not grow when other programs run. Needs what browser.py needs.
"""
import json
import pathlib
import sys
import time

from playwright.sync_api import expect, sync_playwright

from world import CHROMIUM, PHONE, WIDE, World

PROGRAM = pathlib.Path(sys.argv[1]).resolve()


class Measured:
    """One page, with a trace of its tasks."""

    def __init__(self, browser, world, code, kind=WIDE):
        self.browser, self.world = browser, world
        self.page = browser.new_context(**kind).new_page()
        self.page.goto(f"{world.url}#code={code}")
        expect(self.page.locator("a.session").first).to_be_visible()
        self.devtools = self.page.context.new_cdp_session(self.page)

    def open(self, session):
        """Opens a session and returns the seconds until its last row is drawn."""
        began = time.monotonic()
        self.page.goto(f"{self.world.url}#/s/{session}/")
        expect(self.page.locator(".row").last).to_be_visible()
        return time.monotonic() - began

    def traced(self, work):
        """Runs `work`, and returns its result with the longest tasks of the page's thread: (wall, CPU) in milliseconds."""
        self.browser.start_tracing(page=self.page, categories=["toplevel", "disabled-by-default-devtools.timeline", "__metadata"])
        result = work()
        events = json.loads(self.browser.stop_tracing())["traceEvents"]
        threads = {(event["pid"], event["tid"]) for event in events
                   if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"}
        tasks = [event for event in events if event["name"] == "RunTask" and (event["pid"], event["tid"]) in threads]
        wall = max((event["dur"] / 1000 for event in tasks if "dur" in event), default=0)
        cpu = sorted((event["tdur"] / 1000 for event in tasks if "tdur" in event), reverse=True)
        return result, wall, cpu

    def memory(self):
        """The heap after a collection, in MB, and the number of elements."""
        self.devtools.send("HeapProfiler.collectGarbage")
        heap = self.devtools.send("Runtime.getHeapUsage")["usedSize"] / 1e6
        return heap, self.page.evaluate("document.querySelectorAll('*').length")


def tasks(name, wall, cpu):
    over = sum(1 for value in cpu if value > 100)
    print(f"{name}: longest task {wall:.0f} ms, {cpu[0] if cpu else 0:.0f} ms of CPU time; {over} over 100 ms of CPU time", flush=True)


def shown_whole(page):
    """Shows as many sessions as the list can have."""
    for count in (200, 300, 400, 500):
        page.get_by_role("button", name="Show more").click()
        expect(page.locator("a.session")).to_have_count(count)


def scrolled(page):
    """Scrolls back through some thousand entries."""
    for _ in range(60):
        page.locator(".scroll").evaluate("element => element.scrollBy(0, -4000)")
        page.wait_for_timeout(50)


FRAMES = """() => {
  window.frames = [];
  let last = performance.now();
  const next = (now) => { frames.push(now - last); last = now; requestAnimationFrame(next); };
  requestAnimationFrame(next);
}"""


def on_a_slow_phone(browser, world, session):
    """Opens a session and scrolls back with a sixth of the processor, as on a phone."""
    phone = Measured(browser, world, "phone", PHONE)
    phone.devtools.send("Emulation.setCPUThrottlingRate", {"rate": 6})
    print(f"a slow phone: opening at the end: {phone.open(session):.2f} s")
    phone.page.mouse.move(195, 400)
    phone.page.evaluate(FRAMES)
    for _ in range(80):
        phone.page.mouse.wheel(0, -500)
        phone.page.wait_for_timeout(30)
    frames = sorted(phone.page.evaluate("frames"))
    print(f"a slow phone: scrolling back, 95 of 100 frames took at most {frames[len(frames) * 95 // 100]:.0f} ms")
    phone.page.context.close()


def main():
    expect.set_options(timeout=600_000)
    world = World(PROGRAM)
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(**CHROMIUM)
            steady = world.agent("steady")
            first = Measured(browser, world, "steady")
            first.open(steady)
            _, *longest = first.traced(lambda: first.page.wait_for_timeout(15_000))
            tasks("following 200 updates per second", *longest)
            first.page.context.close()

            began = time.monotonic()
            long = world.agent("flood")
            page = Measured(browser, world, "flood")
            page.open(long)
            _, *longest = page.traced(lambda: page.page.wait_for_timeout(20_000))
            tasks("following 100,000 updates as fast as they come", *longest)
            expect(page.page.locator(".row.turn")).to_be_visible()
            print(f"the session was written and drawn in {time.monotonic() - began:.0f} s")
            print("after following: heap {:.1f} MB, {} elements".format(*page.memory()))
            page.page.context.close()

            page = Measured(browser, world, "again")
            seconds, *longest = page.traced(lambda: page.open(long))
            print(f"opening at the end: {seconds:.2f} s")
            tasks("opening", *longest)
            _, *longest = page.traced(lambda: scrolled(page.page))
            tasks("scrolling back", *longest)
            print("after scrolling: heap {:.1f} MB, {} elements".format(*page.memory()))
            began = time.monotonic()
            page.page.keyboard.press("Control+f")
            page.page.get_by_label("Find in this session").fill("word 1 of")
            expect(page.page.locator(".find-status")).to_have_text("1 hit")
            print(f"finding a text at the session's beginning: {time.monotonic() - began:.1f} s")
            print("after finding: heap {:.1f} MB, {} elements".format(*page.memory()))
            page.page.context.close()

            on_a_slow_phone(browser, world, long)

            world.agent(sessions=10_000)
            began = time.monotonic()
            page = Measured(browser, world, "many")
            print(f"opening a list of 10,000 sessions: {time.monotonic() - began:.2f} s")
            _, *longest = page.traced(lambda: shown_whole(page.page))
            tasks("showing 500 of them, which is the limit", *longest)
            began = time.monotonic()
            page.page.get_by_label("Filter sessions").fill("-5000")
            expect(page.page.locator("a.session")).to_have_count(1)
            print(f"filtering 10,000 sessions: {time.monotonic() - began:.2f} s")
            print("the list: heap {:.1f} MB, {} elements".format(*page.memory()))
            browser.close()
    finally:
        world.close()


main()
