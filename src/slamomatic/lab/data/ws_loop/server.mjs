// As little as a server of four people at a table can do: one move in, four views out. The peer that the load
// measurement sets beside ours.
//
// It knows no rules and keeps nothing. The moves it tells are those of a real game, four views of each, read from the
// file named on the command line and told in a circle; it parses what it is sent and writes every view anew.

import { readFileSync } from "node:fs";
import { WebSocketServer } from "ws";

const HANDS = 4;
const moves = JSON.parse(readFileSync(process.argv[2], "utf8"));
const tables = new Map();

function tell(table) {
  const views = moves[table.seq++ % moves.length];
  for (const [at, socket] of table.sockets.entries()) {
    socket.send(JSON.stringify({ ...views[at], seq: table.seq }));
  }
}

const server = new WebSocketServer({ host: "127.0.0.1", port: 0, perMessageDeflate: false }, () => {
  console.log(`The bare loop is open: http://127.0.0.1:${server.address().port}/`);
});

server.on("connection", (socket, request) => {
  if (!tables.has(request.url)) tables.set(request.url, { sockets: [], ready: 0, seq: 0 });
  const table = tables.get(request.url);
  table.sockets.push(socket);
  socket.on("message", (data) => {
    switch (JSON.parse(data).type) {
      case "Hello":
        socket.send(JSON.stringify({ type: "Welcome" }));
        break;
      case "Ready":
        if (++table.ready === HANDS) tell(table);
        break;
      case "Act":
        tell(table);
        break;
    }
  });
});
