// When this page truly showed each contact, and when its hand truly came down, by its own clock and in its own events:
// written down beside the client, before the client hears of it.
(() => {
  const shown = {};
  const truth = {};
  let down = null;
  addEventListener("keydown", (event) => {
    if (!event.repeat && event.key === " ") down = event.timeStamp;
  }, true);

  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (data) {
    const message = JSON.parse(data);
    if (message.type === "Shown") shown[message.cue] = performance.now();
    if (message.type === "Touch" && message.cue in shown) truth[message.cue] ??= down - shown[message.cue];
    send.call(this, data);
  };
  globalThis.truth = truth;
})();
