/**
 * A move that was sent and not answered: a line may break between the two.
 *
 * Laws: pure; it is sent again for the very position it was meant for, while it is legal there, and never for another one;
 * the server holds it to the same by `after`, so it is done once at the most.
 */
import type { Act, Welcome } from "../wire.ts";
import type { Command, ServerMessage } from "./terms.ts";

/** A move with the position it is meant for. */
export type Move = Act & { readonly after: number };

/** What is still unanswered after this message. */
export function unanswered(move: Move | null, message: ServerMessage): Move | null {
  switch (message.type) {
    case "Moved":
    case "Refused":
    case "CalledOff":
      return null;
    case "Welcome":
      return move && isStillMeant(move, message) ? move : null;
    default:
      return move;
  }
}

/** Whether the position one has come back to is the one the move was meant for, and allows it. */
function isStillMeant(move: Move, { seq, view }: Welcome): boolean {
  if (seq !== move.after) return false;
  const wanted = spelt(move.command);
  return view?.legal.some((command) => spelt(command) === wanted) ?? false;
}

/** The same for equal commands, however their fields are ordered. */
function spelt(command: Command): string {
  return JSON.stringify(Object.entries(command).toSorted());
}
