/** Addresses of players, as the addresses of what they play: the site embeds those of allowed providers. */

const PLAYERS: readonly (readonly [RegExp, (id: string) => string])[] = [
  [
    /^https?:\/\/(?:www\.)?youtube(?:-nocookie)?\.com\/embed\/([\w-]{6,20})/i,
    (id) => `https://www.youtube.com/watch?v=${id}`,
  ],
  [
    /^https?:\/\/(?:www\.)?youtube\.com\/watch\?(?:.*&)?v=([\w-]{6,20})/i,
    (id) => `https://www.youtube.com/watch?v=${id}`,
  ],
  [/^https?:\/\/youtu\.be\/([\w-]{6,20})/i, (id) => `https://www.youtube.com/watch?v=${id}`],
  [/^https?:\/\/player\.vimeo\.com\/video\/(\d+)/i, (id) => `https://vimeo.com/${id}`],
  [/^https?:\/\/(?:www\.)?vimeo\.com\/(\d+)/i, (id) => `https://vimeo.com/${id}`],
  [
    /^https?:\/\/codepen\.io\/([\w-]+)\/(?:embed|pen)(?:\/preview)?\/(\w+)/i,
    (id) => `https://codepen.io/${id}`,
  ],
];

/** The address to write on a line of its own; null for an unknown player. */
export function embedAddress(src: string): string | null {
  for (const [pattern, toAddress] of PLAYERS) {
    const [, id, second] = pattern.exec(src) ?? [];
    if (id !== undefined) return toAddress(second === undefined ? id : `${id}/pen/${second}`);
  }
  return null;
}
