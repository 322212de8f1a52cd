// What someone in front of the screen sees: which page it is, the line that says what to do, the controls that can be
// used, the cards that lie face up, and everything a screen reader would read of them.
() => {
  const shown = (element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const tidy = (text) => text.replace(/\s+/g, " ").trim();
  const named = (element) => tidy(element.getAttribute("aria-label") ?? element.innerText);
  const usable = (button) =>
    !button.disabled && button.getAttribute("aria-disabled") !== "true" && shown(button);
  const cards = (list) => [...(list?.querySelectorAll("svg.card") ?? [])];

  const pages = ["waiting", "table", "result"];
  const prompt = document.querySelector("[data-testid=prompt]");
  const own = document.querySelector("ul[aria-label^='Your hand']");
  const asked = document.querySelector("section[aria-label='Your hand']");
  return {
    page: pages.find((page) => document.querySelector(`[data-testid=${page}]`)) ?? "elsewhere",
    prompt: prompt ? tidy(prompt.innerText) : "",
    controls: [...document.querySelectorAll("button")].filter(usable).map(named),
    answers: [...(asked?.querySelectorAll("button") ?? [])].filter(usable).map(named),
    hand: cards(own).map(named),
    told: [...document.querySelectorAll("ol[aria-label='What happened'] li")].map((line) =>
      tidy(line.innerText),
    ),
    notice: tidy(document.querySelector("[role=alert]")?.innerText ?? ""),
  };
};
