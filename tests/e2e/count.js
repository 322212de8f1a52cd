// The count at the end, as the result page shows it: who, how many points, and each line with its cards.
() => {
  const tidy = (text) => text.replace(/\s+/g, " ").trim();
  const number = (text) => Number(tidy(text).replace("−", "-"));
  return {
    headline: tidy(document.querySelector("h1").innerText),
    ending: tidy(document.querySelector("h1 + p")?.innerText ?? ""),
    players: [...document.querySelectorAll("ol > li")].map((player) => ({
      name: tidy(player.querySelector("strong").innerText),
      wins: player.querySelector(".crown") !== null,
      total: number(player.querySelector("output").innerText),
      lines: [...player.querySelectorAll("div.line")].map((line) => ({
        source: tidy(line.querySelector("b").innerText),
        points: number(line.querySelector("em").innerText),
        cards: [...line.querySelectorAll("svg[role=img]")].map((card) => card.getAttribute("aria-label")),
      })),
    })),
  };
};
