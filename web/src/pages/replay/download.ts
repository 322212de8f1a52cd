/** A game's record as a file. It may take one's token to get it, so it is fetched first, and then kept. */
import { recordOf } from "../../net/api.ts";

/**
 * Save the record of a game.
 *
 * @throws {ApiError} the server says why not, or cannot be reached.
 */
export async function download(id: string): Promise<void> {
  const text = await recordOf(id);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = `slamomatic-${id}.txt`;
  link.click();
  // Not before the browser has begun to read it.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
