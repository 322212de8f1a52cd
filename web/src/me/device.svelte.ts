/**
 * Who uses this device: nobody yet, a guest, or someone with an account.
 *
 * Laws:
 * - nobody becomes a person by looking: a guest is made when there is something to do that needs one;
 * - never two guests at once, not even from two tabs (where the browser has locks);
 * - a token the server does not know any more is forgotten; who wanted to do something does it as a new guest, once;
 * - one's name is the same in every field and at every table: what was typed last, once the server has taken it.
 */
import { ApiError, type Asking, call } from "../net/call.ts";
import { store } from "../settings/store.svelte.ts";
import type { ChangeMe, NewGuest, Person, SignedIn } from "../wire.ts";

const LOCK = "slamomatic.guest";

class Device {
  person = $state.raw<Person | null>(null);
  /** Whether it is known who this is. */
  known = $state(store.token === null);
  #becoming: Promise<void> | null = null;

  constructor() {
    store.watchToken(() => {
      this.person = null;
      void this.load().catch(() => {}); // whoever needs to know will ask, and be told why not
    });
  }

  /**
   * Find out who this is; the server's word on the name counts.
   *
   * @throws {ApiError} it could not be asked.
   */
  async load(): Promise<void> {
    if (store.token === null) {
      this.person = null;
      this.known = true;
      return;
    }
    try {
      this.#be(await this.ask<Person>("api/me"));
    } catch (error) {
      if (!isNobody(error)) throw error;
      this.known = true;
    }
  }

  /** Ask as whoever this is, or else as nobody. */
  ask<Answer>(path: string, asking: Asking = {}): Promise<Answer> {
    return this.asking((token) => call<Answer>(path, { ...asking, token }));
  }

  /** Ask in whatever way, first with the token of this device. */
  async asking<Answer>(way: (token: string | null) => Promise<Answer>): Promise<Answer> {
    const { token } = store;
    try {
      return await way(token);
    } catch (error) {
      if (token === null || !isNobody(error)) throw error;
      this.#forget(token);
      return way(null);
    }
  }

  /** Ask as someone, under the name that was typed last: a guest is made first where there is nobody yet. */
  async act<Answer>(path: string, asking: () => Asking = () => ({})): Promise<Answer> {
    await this.become();
    const { token } = store;
    try {
      return await call<Answer>(path, { ...asking(), token });
    } catch (error) {
      if (!isNobody(error)) throw error;
      this.#forget(token);
      await this.become();
      return call<Answer>(path, { ...asking(), token: store.token });
    }
  }

  /** Be someone, under the name that was typed last. */
  become(): Promise<void> {
    this.#becoming ??= this.#become().finally(() => {
      this.#becoming = null;
    });
    return this.#becoming;
  }

  /**
   * Change what others see.
   *
   * @throws {ApiError} the server says why not.
   */
  async change(change: ChangeMe): Promise<void> {
    if (change.name) store.change({ name: change.name });
    await this.become();
    if (change.avatar === undefined && change.name === this.person?.name) return;
    this.#be(await this.act<Person>("api/me", () => ({ method: "PATCH", body: change })));
  }

  /** This device is someone from now on. */
  signIn({ token, me }: SignedIn): void {
    store.keepToken(token);
    this.#be(me);
  }

  /** News of oneself. */
  hear(me: Person): void {
    this.#be(me);
  }

  /** This device is nobody from now on. */
  signOut(): void {
    store.dropToken();
    store.change({ name: "" });
    this.person = null;
    this.known = true;
  }

  async #become(): Promise<void> {
    if (store.token === null) return alone(() => this.#makeGuest());
    const typed = store.current.name.trim();
    if (!this.person) await this.load();
    if (store.token === null) return alone(() => this.#makeGuest()); // it was not known any more
    if (!typed || typed === this.person?.name) return;
    const body: ChangeMe = { name: typed };
    this.#be(await this.ask<Person>("api/me", { method: "PATCH", body }));
  }

  async #makeGuest(): Promise<void> {
    if (store.token !== null) return this.load(); // another tab was faster
    const name = store.current.name.trim();
    const body: NewGuest = name ? { name } : {};
    this.signIn(await call<SignedIn>("api/me", { body }));
  }

  /** The server does not know this token any more. Another tab may have got a new one meanwhile. */
  #forget(token: string | null): void {
    if (store.token === token) store.dropToken();
    this.person = null;
  }

  #be(me: Person): void {
    this.person = me;
    this.known = true;
    store.change({ name: me.name });
  }
}

function isNobody(error: unknown): boolean {
  return error instanceof ApiError && error.code === "no-person";
}

/** One tab after the other, where the browser has locks: on a plain http address it has none. */
async function alone(job: () => Promise<void>): Promise<void> {
  if (!navigator.locks) return job();
  await navigator.locks.request(LOCK, job);
}

export const device = new Device();
