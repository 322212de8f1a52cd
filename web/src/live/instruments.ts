/**
 * What a page watches of itself while it plays: its frames, its clock, and the stamps of its events.
 *
 * Laws: nothing is blocked for it: the clock is read now and then at first, frames are counted for about a second at a
 * time, stamps come with what the player does anyway; what is made of it is in play/measures.ts.
 */
import { FRAMES, frameMs, framesOf, type Moment, momentOf, stepMs } from "../play/measures.ts";
import type { Shown } from "../wire.ts";

/** How often the clock is read at first, and how long there is between two readings: together half a second at most. */
const READINGS = 60;
const BETWEEN_READINGS_MS = 7;
/** So many steps of the clock are enough to know it; where it is coarse there are fewer, but they are plain. */
const ENOUGH_STEPS = 12;
const FEWEST_CLOCK_STEPS = 2;
/** An event's stamp may have a grain of its own; it takes more of them, for they may come at regular intervals. */
const FEWEST_EVENT_STEPS = 10;
const EVENTS = 32;
/** Taken to be the clock's step until it is known. */
const LIKELY_MS = 1;
/** Moves are no good: they are often told at the frames' own pace. */
const PRESSES = ["pointerdown", "pointerup", "keydown", "keyup"] as const;

export class Instruments {
  #clock: number[] = [];
  #events: number[] = [];
  #frames: number[] = [];
  /** When the frames of the watch under way began. */
  #began: number[] = [];
  #watch: number | null = null;
  #reading: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    for (const kind of PRESSES) {
      window.addEventListener(kind, this.#heard, { capture: true, passive: true });
    }
    this.#readClock(READINGS);
  }

  close(): void {
    for (const kind of PRESSES) {
      window.removeEventListener(kind, this.#heard, { capture: true });
    }
    clearTimeout(this.#reading);
    if (this.#watch !== null) cancelAnimationFrame(this.#watch);
  }

  /** How coarse the page's clock is, in milliseconds: the coarser of what events and what the page itself read of it. */
  get grain(): number {
    const clock = stepMs(this.#clock, FEWEST_CLOCK_STEPS) ?? LIKELY_MS;
    return Math.max(clock, stepMs(this.#events, FEWEST_EVENT_STEPS) ?? 0);
  }

  /** The two measures as the unit wants them. */
  measures(): Pick<Shown, "frame_us" | "grain_us"> {
    const { grain } = this;
    return {
      frame_us: Math.round(frameMs(this.#frames, grain) * 1000),
      grain_us: Math.round(grain * 1000),
    };
  }

  /** When an event happened, by the page's clock. */
  moment(event: Event): Moment {
    return momentOf(event.timeStamp, performance.now(), this.grain);
  }

  /** Count the frames of the next moment: while one reaches, the screen runs as it will at the contact. */
  watchFrames(): void {
    this.#began = [];
    this.#watch ??= requestAnimationFrame(this.#frame);
  }

  readonly #frame = (began: number): void => {
    this.#began.push(began);
    this.#frames = [...this.#frames, ...framesOf(this.#began.slice(-2))].slice(-FRAMES);
    this.#watch = this.#began.length > FRAMES ? null : requestAnimationFrame(this.#frame);
  };

  readonly #heard = (event: Event): void => {
    if (!this.moment(event).exact) return;
    this.#events = [...this.#events, event.timeStamp].slice(-EVENTS);
  };

  #readClock(left: number): void {
    this.#clock.push(performance.now());
    if (left === 0 || new Set(this.#clock).size > ENOUGH_STEPS) return;
    this.#reading = setTimeout(() => this.#readClock(left - 1), BETWEEN_READINGS_MS);
  }
}
