// Every card that lies face up and is not laid, and every word about a card in the page: in its text, its labels, its
// attributes of any kind. What is laid, and what the history tells, is for everyone.
() => {
  const isPublic = (node) => node.closest(".laid, [aria-label='What happened']") !== null;
  const named = (card) => card.getAttribute("aria-label") ?? card.textContent.trim();
  const about = /\b(ones?|twos?|threes?|fours?|fives?|six(es)?|sevens?|eights?|nines?|tens?|jokers?|smiling|sad)\b/i;

  const open = [...document.querySelectorAll("svg.card")]
    .filter((card) => card.querySelector(".back") === null && !isPublic(card))
    .map(named);
  const words = [];
  for (const element of document.body.querySelectorAll("*")) {
    if (isPublic(element)) continue;
    const own = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE);
    const texts = own.map((node) => node.data).concat([...element.attributes].map(({ value }) => value));
    words.push(...texts.filter((text) => about.test(text)));
  }
  const prompt = document.querySelector("[data-testid=prompt]")?.innerText;
  return { over: prompt === undefined || prompt === "The game is over.", open, words };
};
