/**
 * A press that belongs to one finger: for pads, where the moment of touching counts and its length may.
 *
 * Laws: the first pointer down presses, whichever others follow; the same pointer up, cancelled or lost releases;
 * each press is followed by exactly one release; keys count once, however long they repeat;
 * a click that came from no pointer and no key (a screen reader's) is a press held for `SYNTHETIC_MS`.
 */
import type { Attachment } from "svelte/attachments";

/** How long a click without a finger counts as held. */
export const SYNTHETIC_MS = 120;

export interface PressOptions {
  /** While true, presses are not heard. */
  readonly locked: () => boolean;
  readonly onpress: (event: Event) => void;
  readonly onrelease: (event: Event) => void;
}

/** Attaches a press to an element. */
export function press(options: PressOptions): Attachment<HTMLElement> {
  return (element) => {
    let holder: number | "key" | "click" | null = null;

    const down = (by: number | "key" | "click", event: Event) => {
      if (holder !== null || options.locked()) return;
      holder = by;
      options.onpress(event);
    };
    const up = (by: number | "key" | "click", event: Event) => {
      if (holder !== by) return;
      holder = null;
      options.onrelease(event);
    };
    const isPressKey = (event: KeyboardEvent) => event.key === " " || event.key === "Enter";

    const listen = <K extends keyof HTMLElementEventMap>(
      kind: K,
      handle: (event: HTMLElementEventMap[K]) => void,
    ) => {
      element.addEventListener(kind, handle, { passive: false });
      return () => element.removeEventListener(kind, handle);
    };
    const stops = [
      listen("pointerdown", (event) => {
        if (event.button !== 0) return;
        // The press first: nothing may come between the finger and what it means.
        down(event.pointerId, event);
        if (holder === event.pointerId) element.setPointerCapture(event.pointerId);
      }),
      listen("pointerup", (event) => up(event.pointerId, event)),
      listen("pointercancel", (event) => up(event.pointerId, event)),
      listen("lostpointercapture", (event) => up(event.pointerId, event)),
      listen("keydown", (event) => {
        if (!isPressKey(event)) return;
        event.preventDefault();
        event.stopPropagation();
        if (!event.repeat) down("key", event);
      }),
      listen("keyup", (event) => {
        if (!isPressKey(event)) return;
        event.preventDefault();
        event.stopPropagation();
        up("key", event);
      }),
      listen("blur", (event) => up("key", event)),
      listen("click", (event) => {
        if (event.detail !== 0) return;
        down("click", event);
        // An event of its own tells when it ends: the click's own stamp is that of its beginning.
        if (holder === "click") setTimeout(() => up("click", new Event("click")), SYNTHETIC_MS);
      }),
      listen("contextmenu", (event) => event.preventDefault()),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  };
}
