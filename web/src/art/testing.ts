/** Colours as the tests measure them. Not part of the app: only tests import it. */
import { readFileSync } from "node:fs";

const css = readFileSync("src/art/tokens.css", "utf8");

/** The hex of `--name`, or of `var(--name)`. */
export function hex(name: string): string {
  const bare = name.replace(/^var\(--|\)$/g, "");
  const found = css.match(new RegExp(`--${bare}: (#[0-9a-f]{6});`))?.[1];
  if (!found) throw new Error(`tokens.css has no --${bare}`);
  return found;
}

/** Relative luminance as WCAG 2 defines it. */
export function luminance(name: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const v = Number.parseInt(hex(name).slice(at, at + 2), 16) / 255;
    return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Contrast as WCAG 2 defines it. */
export function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}
