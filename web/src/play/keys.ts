/**
 * The keys of the game, and what a key press means.
 * Laws: the first, unrepeated keydown counts; keys are dead while one types, with Ctrl, Alt or Meta, and under a dialog;
 * Enter does what a focused button says before it does anything of ours.
 */

export type GameAction = "slam" | "reach" | "pass" | "draw";

/** One key for each action, as `KeyboardEvent.key` names it, lower case. */
export type KeyMap = Readonly<Record<GameAction, string>>;

export const DEFAULT_KEYS: KeyMap = { slam: " ", reach: "f", pass: "p", draw: "d" };

export const ACTION_WORDS: Readonly<Record<GameAction, string>> = {
  slam: "Slam",
  reach: "Reach",
  pass: "Pass",
  draw: "Draw",
};

/** What the key is called on a button. */
export function keyName(key: string): string {
  if (key === " ") return "Space";
  return key.length === 1 ? key.toUpperCase() : key.charAt(0).toUpperCase() + key.slice(1);
}

/** The key of an event as a {@link KeyMap} holds it. */
export function keyOf(event: KeyboardEvent): string {
  return event.key.toLowerCase();
}

/** The action this event asks for; `null`: it is none of ours. Key repeats ask for nothing, see {@link isGameKey}. */
export function actionOf(event: KeyboardEvent, keys: KeyMap): GameAction | null {
  if (event.repeat || !isGameKey(event, keys)) return null;
  return boundTo(event, keys);
}

/** Whether the page must keep this key to itself: no scrolling, no clicking of what has the focus. */
export function isGameKey(event: KeyboardEvent, keys: KeyMap): boolean {
  if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return false;
  if (isTyping(event.target) || isUnderDialog(event.target)) return false;
  return boundTo(event, keys) !== null;
}

function boundTo(event: KeyboardEvent, keys: KeyMap): GameAction | null {
  const key = keyOf(event);
  for (const action of ["slam", "reach", "pass", "draw"] as const) {
    if (keys[action] === key) return action;
  }
  return key === "enter" && !isControl(event.target) ? "draw" : null;
}

/** A map in which `action` has this key; whoever had it takes the key given up. */
export function rebound(keys: KeyMap, action: GameAction, key: string): KeyMap {
  const given = keys[action];
  const swapped = Object.entries(keys).map(([other, its]) => [other, its === key ? given : its]);
  return { ...(Object.fromEntries(swapped) as KeyMap), [action]: key };
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest("input, textarea, select, [contenteditable]") !== null
  );
}

function isUnderDialog(target: EventTarget | null): boolean {
  const page = target instanceof Node ? (target.ownerDocument ?? document) : document;
  return page.querySelector("dialog[open]") !== null;
}

function isControl(target: EventTarget | null): boolean {
  return (
    target instanceof Element && target.closest("button, a[href], summary, [role=button]") !== null
  );
}
