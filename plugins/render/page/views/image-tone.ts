/** Luminance up to which white is read better than black (WCAG 2.2, 1.4.3). */
const DARK = 0.179;

/**
 * A colour as style sheets select it without inline styles: 8 levels of red, green and blue, and
 * `*` for a dark colour. `#1a7fe0` becomes `1-3+6*`.
 */
export function toTone(color: string): string {
  const channels = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  const [red, green, blue] = channels.map((value) => Math.round((value * 7) / 255));
  return `${red}-${green}+${blue}${luminance(channels) <= DARK ? "*" : ""}`;
}

function luminance(channels: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = channels.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
