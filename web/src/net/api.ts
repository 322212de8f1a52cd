/** The HTTP calls. Law: a call answers with its body or throws {@link ApiError}, whose text a player can read. */
import type {
  Edition,
  Editions,
  Failure,
  JoinTable,
  ListedTable,
  ListedTables,
  OpenTable,
  RefusalCode,
  Seated,
} from "../wire.ts";
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

/** Make a table and sit down as its host. */
export function openTable(body: OpenTable): Promise<Seated> {
  return call<Seated>("api/tables", body);
}

/** Sit down at a table. */
export function joinTable(code: string, body: JoinTable): Promise<Seated> {
  return call<Seated>(`api/tables/${encodeURIComponent(code)}/join`, body);
}

/** What there is to know of a table before one sits down. */
export function lookAt(code: string): Promise<ListedTable> {
  return call<ListedTable>(`api/tables/${encodeURIComponent(code)}`);
}

/** The open tables their hosts have listed. */
export async function listTables(): Promise<readonly ListedTable[]> {
  return (await call<ListedTables>("api/tables")).tables;
}

/** The preset editions, by the name a link uses. */
export async function presets(): Promise<Readonly<Record<string, Edition>>> {
  return (await call<Editions>("api/editions")).presets;
}

async function call<Answer>(path: string, body?: object): Promise<Answer> {
  let response: Response;
  try {
    response = await fetch(address(path), {
      headers: { accept: "application/json", "content-type": "application/json" },
      ...(body && { method: "POST", body: JSON.stringify(body) }),
    });
  } catch {
    throw new ApiError(
      "unreachable",
      "The server cannot be reached. Look at your connection and try again.",
    );
  }
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok && answer !== null) return answer as Answer;
  if (isFailure(answer)) throw new ApiError(answer.code, answer.text);
  throw new ApiError(
    "unreachable",
    `The server did not understand (${response.status}). Try again in a moment.`,
  );
}

function isFailure(answer: unknown): answer is Failure {
  return typeof answer === "object" && answer !== null && "code" in answer && "text" in answer;
}
