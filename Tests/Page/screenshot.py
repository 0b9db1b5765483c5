"""Makes the screenshot of the page in the README.

    screenshot.py BRIDGE_PROGRAM [FILE]

The file is Sources/Page/screenshot.png by default. Needs what browser.py needs.
"""
import json
import pathlib
import sys

from playwright.sync_api import expect, sync_playwright

from world import CHROMIUM, HERE, World

PROGRAM = pathlib.Path(sys.argv[1]).resolve()
FILE = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else HERE / "../../Sources/Page/screenshot.png"
SIZE = {"viewport": {"width": 1200, "height": 880}, "device_scale_factor": 1.5, "color_scheme": "light"}


def sessions(world):
    """Starts the agents of a day, and returns the session that is shown. Each agent is the one of the tests under another name."""
    for name in ("claude", "codex", "gemini"):
        profile = {"name": name, "title": name.capitalize(), "command": ["node", str(HERE / "rich-agent.js")], "env": {}}
        path = world.home / f"config/acpbridge/agents/{name}.json"
        path.write_text(json.dumps(profile))
        path.chmod(0o600)
    for folder in ("me/shop", "me/docs"):
        (world.home / folder).mkdir(parents=True)
    made = {}
    for title, prompt, profile, folder in (
            ("Upgrade the dependencies", "count to 3", "codex", "me/shop"),
            ("Port the parser", "tour", "claude", "me/shop"),
            ("Explain the build", "count to 3", "gemini", "me/docs"),
            ("Edit the login page", "edit", "claude", "me/docs"),
            ("Plan the release", "ask", "codex", "me/shop"),
            ("Find the slow query", "slow", "claude", "me/shop"),
            ("Mend the login test", "mend the login test", "claude", "me/shop")):
        made[title] = world.agent(prompt, profile=profile, folder=folder)
        world.command("rename", made[title], title)
    world.command("stop", made["Upgrade the dependencies"])
    return made["Mend the login test"]


def main():
    expect.set_options(timeout=60_000)
    world = World(PROGRAM)
    try:
        session = sessions(world)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(**CHROMIUM)
            page = browser.new_context(**SIZE).new_page()
            page.goto(f"{world.url}#code=screenshot")
            page.locator(f'a.session[href^="#/s/{session}/"]').click()
            expect(page.locator(".ask .option").first).to_be_visible()
            expect(page.locator(".diff .line.added").first).to_be_attached()
            expect(page.locator("a.spent")).to_be_visible()
            expect(page.locator("a.session")).to_have_count(7)
            expect(page.locator('a.session[data-group="ended"]')).to_have_count(1)
            page.screenshot(path=FILE)
            browser.close()
    finally:
        world.close()


main()
