/** One HTTP call. Law: it answers with its body or throws {@link ApiError}, whose text a player can read. */
import type { Failure, RefusalCode } from "../wire.ts";
import { address } from "./base.ts";

/** A call that had no effect. `code` is the server's reason, or `unreachable`. */
export class ApiError extends Error {
  constructor(
    readonly code: RefusalCode | "unreachable",
    text: string,
  ) {
    super(text);
  }
}

export interface Asking {
  readonly method?: "GET" | "POST" | "PATCH" | "DELETE";
  readonly body?: object;
  /** Who asks; `null`: nobody. */
  readonly token?: string | null;
}

/**
 * Ask, and read the answer as JSON; a call without an answer (204) answers `undefined`.
 *
 * @throws {ApiError} the server says why not, or cannot be reached.
 */
export async function call<Answer>(path: string, asking: Asking = {}): Promise<Answer> {
  const response = await ask(path, asking);
  if (response.status === 204) return undefined as Answer;
  const answer: unknown = await response.json().catch(() => null);
  if (answer === null) throw new ApiError("unreachable", notUnderstood(response));
  return answer as Answer;
}

/**
 * Ask, and read the answer as it is.
 *
 * @throws {ApiError} the server says why not, or cannot be reached.
 */
export async function callForText(path: string, asking: Asking = {}): Promise<string> {
  return (await ask(path, asking)).text();
}

async function ask(path: string, { method, body, token }: Asking): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(address(path), {
      method: method ?? (body ? "POST" : "GET"),
      headers: {
        accept: "application/json",
        ...(body && { "content-type": "application/json" }),
        ...(token && { authorization: `Bearer ${token}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
  } catch {
    throw new ApiError(
      "unreachable",
      "The server cannot be reached. Look at your connection and try again.",
    );
  }
  if (response.ok) return response;
  const answer: unknown = await response.json().catch(() => null);
  if (isFailure(answer)) throw new ApiError(answer.code, sentence(answer.text));
  throw new ApiError("unreachable", notUnderstood(response));
}

function notUnderstood({ status }: Response): string {
  return `The server did not understand (${status}). Try again in a moment.`;
}

function isFailure(answer: unknown): answer is Failure {
  return typeof answer === "object" && answer !== null && "code" in answer && "text" in answer;
}

/** A refusal as a sentence of its own. */
export function sentence(text: string): string {
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…]$/.test(begun) ? begun : `${begun}.`;
}
