/**
 * The open tables, live.
 *
 * Laws: a page nobody sees asks for nothing, and holds no stream open (a browser has few of them);
 * as long as the stream does not speak, one asks every few seconds instead; what fails is tried again.
 */
import type { ListedTable, ListedTables } from "../wire.ts";
import { listTables, lobbyAddress } from "./api.ts";

/** How long a stream may be silent before it has said anything, and how often one asks meanwhile. */
const PATIENCE_MS = 4_000;
/** After the server has refused the stream, it is tried again so much later. */
const AGAIN_MS = 60_000;

/** Tell the open tables, now and whenever they change; answers with how to stop it. */
export function watchLobby(told: (tables: readonly ListedTable[]) => void): () => void {
  let stream: EventSource | null = null;
  let asking: ReturnType<typeof setTimeout> | undefined;
  let reopening: ReturnType<typeof setTimeout> | undefined;
  let over = false;

  function ask(): void {
    asking = setTimeout(ask, PATIENCE_MS);
    const mine = asking;
    listTables().then(
      (tables) => {
        if (asking === mine) told(tables); // else the stream has spoken meanwhile, or nobody looks any more
      },
      () => {}, // The list is a courtesy: what does not answer is asked again.
    );
  }

  function open(): void {
    clearTimeout(asking);
    if (typeof EventSource === "undefined") {
      ask();
      return;
    }
    asking = setTimeout(ask, PATIENCE_MS);
    stream = new EventSource(lobbyAddress());
    stream.onmessage = ({ data }) => {
      clearTimeout(asking);
      asking = undefined;
      told((JSON.parse(data) as ListedTables).tables);
    };
    stream.onerror = () => {
      if (asking === undefined) ask();
      if (stream?.readyState !== EventSource.CLOSED) return; // it comes back by itself
      clearTimeout(reopening);
      reopening = setTimeout(look, AGAIN_MS);
    };
  }

  function shut(): void {
    stream?.close();
    stream = null;
    clearTimeout(asking);
    clearTimeout(reopening);
    asking = undefined;
  }

  function look(): void {
    shut();
    if (!document.hidden && !over) open();
  }

  document.addEventListener("visibilitychange", look);
  look();
  return () => {
    over = true;
    document.removeEventListener("visibilitychange", look);
    shut();
  };
}
