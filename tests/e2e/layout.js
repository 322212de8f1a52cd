// What would trouble a thumb: a page that scrolls, a control that is too small, out of sight, or under something else.
() => {
  const trouble = [];
  const { scrollWidth, scrollHeight } = document.documentElement;
  if (scrollHeight > innerHeight) trouble.push(`scrolls by ${scrollHeight - innerHeight} px`);
  if (scrollWidth > innerWidth) trouble.push(`scrolls sideways by ${scrollWidth - innerWidth} px`);
  if (scrollX !== 0 || scrollY !== 0) trouble.push(`is scrolled to ${scrollX}, ${scrollY}`);
  if (visualViewport.scale !== 1) trouble.push(`is zoomed ${visualViewport.scale} times`);

  const SIDE = 44;
  const GRIP = 24; // of a card in a fan, which the next one covers in part
  const rooms = ["Your moves", "Your hand"].map((name) => `section[aria-label='${name}'] button`);
  for (const control of document.querySelectorAll(`${rooms}, button.pile`)) {
    const name = (control.getAttribute("aria-label") ?? control.innerText).replace(/\s+/g, " ").trim();
    const { left, top, right, bottom, width, height } = control.getBoundingClientRect();
    if (Math.min(width, height) < SIDE) {
      trouble.push(`${name} is ${Math.round(width)}×${Math.round(height)} px`);
    }
    if (left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1) {
      trouble.push(`${name} is not wholly on the screen`);
    }
    const inFan = control.closest("ul.fan") !== null;
    let free = 0;
    for (let x = left + 1; x < right; x += 2) {
      free += control.contains(document.elementFromPoint(x, (top + bottom) / 2)) ? 2 : 0;
    }
    const middle = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    if (inFan ? free < GRIP : !control.contains(middle)) {
      trouble.push(`${name} is covered by ${middle?.outerHTML.slice(0, 80)}`);
    }
  }
  return trouble;
};
