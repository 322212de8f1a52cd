/** How a press ended: let go, or taken away by the browser (a call, a swipe of the system, a sixth finger). */

type Pressed = "slam" | "reach";

export function releaseType<Kind extends Pressed>(
  kind: Kind,
  event: Event,
): `${Kind}-up` | `${Kind}-taken` {
  const taken = event.type === "pointercancel" || event.type === "blur";
  return `${kind}-${taken ? "taken" : "up"}`;
}
