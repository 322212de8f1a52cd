/**
 * What this browser keeps between visits, piece by piece.
 *
 * Laws: a browser that keeps nothing (private mode, a full disk, storage switched off) still plays until the page is
 * closed; what another tab has put down meanwhile is seen at once.
 */

/** Pieces the browser would not keep; `null`: not even taken away. */
const inHand = new Map<string, string | null>();

/** The piece of this name; `null`: there is none. */
export function take(name: string): string | null {
  const held = inHand.get(name);
  if (held !== undefined) return held;
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Put a piece down; `null` takes it away. */
export function put(name: string, piece: string | null): void {
  try {
    if (piece === null) localStorage.removeItem(name);
    else localStorage.setItem(name, piece);
    inHand.delete(name);
  } catch {
    inHand.set(name, piece);
  }
}

/** Told when another tab has put down or taken away this piece; answers with how to stop being told. */
export function watch(name: string, changed: () => void): () => void {
  const heard = ({ key }: StorageEvent) => {
    if (key === name || key === null) changed();
  };
  window.addEventListener("storage", heard);
  return () => window.removeEventListener("storage", heard);
}
