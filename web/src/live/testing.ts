/** The other end of a page's socket, for tests. Not part of the app: only tests import it. */
import type { ClientMessage, ServerMessage } from "../play/terms.ts";

export class FakeSocket {
  static readonly OPEN = 1;
  static newest: FakeSocket;
  readyState = 1;
  sent: ClientMessage[] = [];
  onopen: (() => void) | null = null;
  onclose: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;

  constructor() {
    FakeSocket.newest = this;
  }

  send(data: string): void {
    this.sent.push(JSON.parse(data));
  }

  close(): void {
    this.readyState = 3;
  }

  says(message: ServerMessage): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  /** What the page has said of one kind. */
  said<Kind extends ClientMessage["type"]>(type: Kind): Extract<ClientMessage, { type: Kind }>[] {
    return this.sent.filter(
      (message): message is Extract<ClientMessage, { type: Kind }> => message.type === type,
    );
  }
}
