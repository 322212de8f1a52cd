/**
 * Every HTTP call there is, by what it does.
 *
 * Laws: a call answers with its body or throws {@link ApiError}, whose text a player can read;
 * who sits down, or changes anything of his own, is someone: see me/device.svelte.ts; who only looks may be nobody.
 */
import { device } from "../me/device.svelte.ts";
import { store } from "../settings/store.svelte.ts";
import type {
  Edition,
  Editions,
  GameInfo,
  GameReplay,
  Games,
  JoinTable,
  Leaderboard,
  ListedTable,
  ListedTables,
  OpenTable,
  PasskeyAnswer,
  PasskeyOptions,
  Person,
  QuickMatch,
  Recover,
  RecoveryCodes,
  Report,
  Seated,
  SignedIn,
  SignOut,
  Tally,
} from "../wire.ts";
import { address } from "./base.ts";
import { call, callForText } from "./call.ts";

export { ApiError } from "./call.ts";

// Tables.

/** Make a table and sit down as its host. */
export function openTable(body: OpenTable): Promise<Seated> {
  return sit("api/tables", body);
}

/** Sit down at a table. */
export function joinTable(code: string, body: JoinTable): Promise<Seated> {
  return sit(`api/tables/${encodeURIComponent(code)}/join`, body);
}

/** Sit down at the best open table of an edition, or at a new one that others will find. */
export function quickMatch(body: QuickMatch): Promise<Seated> {
  return sit("api/quick", body);
}

/** What there is to know of a table before one sits down. */
export function lookAt(code: string): Promise<ListedTable> {
  return call<ListedTable>(`api/tables/${encodeURIComponent(code)}`);
}

/** The open tables their hosts have listed. */
export async function listTables(): Promise<readonly ListedTable[]> {
  return (await call<ListedTables>("api/tables")).tables;
}

/** Where the open tables are told live: each event is a `ListedTables`. */
export function lobbyAddress(): URL {
  return address("api/lobby");
}

/** The preset editions, by the name a link uses. */
export async function presets(): Promise<Readonly<Record<string, Edition>>> {
  return (await call<Editions>("api/editions")).presets;
}

/** A name at a table that should not be there. */
export function report(body: Report): Promise<void> {
  return device.act("api/reports", () => ({ body }));
}

// Who one is. One's name and face are changed through the device.

/** Add a passkey: what the browser is asked with. */
export function newPasskeyOptions(): Promise<PasskeyOptions> {
  return device.act("api/me/passkeys/options", () => ({ method: "POST" }));
}

/** Add a passkey: what the browser has answered. */
export async function addPasskey(body: PasskeyAnswer): Promise<void> {
  device.hear(await device.ask<Person>("api/me/passkeys", { body }));
}

/** Take a passkey away. */
export async function removePasskey(id: string): Promise<void> {
  const path = `api/me/passkeys/${encodeURIComponent(id)}`;
  device.hear(await device.ask<Person>(path, { method: "DELETE" }));
}

/** Sign in: what the browser is asked with. */
export function passkeyOptions(): Promise<PasskeyOptions> {
  return call("api/passkeys/options", { method: "POST" });
}

/** Sign in with what the browser has answered; a guest's games come along. */
export async function signIn(body: PasskeyAnswer): Promise<void> {
  device.signIn(await device.ask<SignedIn>("api/passkeys", { body }));
}

/** Ten new recovery codes; older ones are void. */
export async function newCodes(): Promise<readonly string[]> {
  const { codes } = await device.act<RecoveryCodes>("api/me/codes", () => ({ method: "POST" }));
  await device.load();
  return codes;
}

/** Sign in with a recovery code, which is used up; a guest's games come along. */
export async function recover(code: string): Promise<void> {
  const body: Recover = { code };
  device.signIn(await device.ask<SignedIn>("api/recover", { body }));
}

/** Be nobody on this device. */
export async function signOut(): Promise<void> {
  const body: SignOut = {};
  await device.ask("api/me/signout", { body });
  device.signOut();
}

/** Be nobody on all other devices. */
export function signOutElsewhere(): Promise<void> {
  const body: SignOut = { everywhere: true };
  return device.ask("api/me/signout", { body });
}

/** All the server keeps of oneself, as JSON. */
export function exportMe(): Promise<string> {
  return device.asking((token) => callForText("api/me/export", { token }));
}

/** Delete oneself: for good. */
export async function deleteMe(): Promise<void> {
  await device.ask("api/me", { method: "DELETE" });
  device.signOut();
}

// Games.

/** One's own finished games, newest first; `before`: the `began_us` of the last one known. */
export async function myGames(before?: number): Promise<readonly GameInfo[]> {
  const path = before === undefined ? "api/me/games" : `api/me/games?before=${before}`;
  return (await device.ask<Games>(path)).games;
}

/** What one's own games say. */
export function myTally(): Promise<Tally> {
  return device.ask("api/me/tally");
}

/** Every move of a finished game. */
export function replayOf(id: string): Promise<GameReplay> {
  return device.ask(`api/games/${encodeURIComponent(id)}`);
}

/** A finished game as text. */
export function recordOf(id: string): Promise<string> {
  const path = `api/games/${encodeURIComponent(id)}/record`;
  return device.asking((token) => callForText(path, { token }));
}

/** Let everyone who has the link see this game. */
export function shareGame(id: string): Promise<void> {
  return device.ask(`api/games/${encodeURIComponent(id)}/share`, { method: "POST" });
}

/** The best of an edition. */
export function leaderboard(edition: string): Promise<Leaderboard> {
  return call(`api/leaderboard/${encodeURIComponent(edition)}`);
}

/** Sit down under one's own name: for who has none, the server has made one up meanwhile. */
function sit(path: string, body: OpenTable | JoinTable | QuickMatch): Promise<Seated> {
  return device.act<Seated>(path, () => ({
    body: { ...body, name: store.current.name.trim() || body.name },
  }));
}
