"""What axe-core, the checker of browsers' own tools, has against a page."""

from __future__ import annotations

from pathlib import Path

from playwright.async_api import Page

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
FINDINGS = """async () => {
  // A number printed on a card is a picture: no one has to say it to press the card.
  const isDrawn = (node) => {
    const copy = document.querySelector(node.target[0]).cloneNode(true);
    for (const drawing of copy.querySelectorAll("svg")) drawing.remove();
    return copy.textContent.trim() === "";
  };
  const { violations } = await axe.run(document, { resultTypes: ["violations"] });
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, help, nodes }) =>
      nodes
        .filter((node) => id !== "label-content-name-mismatch" || !isDrawn(node))
        .map(({ html }) => `${id}: ${help}: ${html.slice(0, 160)}`),
    );
}"""


async def check_access(page: Page) -> None:
    """Nothing serious keeps anyone from using the page as it is now."""
    await page.evaluate(AXE.read_text())
    findings: list[str] = await page.evaluate(FINDINGS)
    assert not findings, "\n".join(findings)
