/**
 * A screen that stays lit while it is played on.
 * Laws: asked for only while the page is seen, and again whenever it is seen again, for a hidden page's lock is taken away;
 * where a browser has no such thing, or a battery saver says no, the screen may sleep.
 */

/** Keeps the screen awake until the function it gives is called. */
export function keepAwake(): () => void {
  let lock: WakeLockSentinel | null = null;
  let over = false;

  const ask = async () => {
    if (over || document.hidden || !("wakeLock" in navigator)) return;
    if (lock && !lock.released) return;
    try {
      const held = await navigator.wakeLock.request("screen");
      if (over) await held.release();
      else lock = held;
    } catch {
      // Refused: nothing is lost by it.
    }
  };
  const askAgain = () => void ask();
  askAgain();
  document.addEventListener("visibilitychange", askAgain);
  return () => {
    over = true;
    document.removeEventListener("visibilitychange", askAgain);
    lock?.release().catch(() => {});
  };
}
