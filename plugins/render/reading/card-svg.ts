import { escapeHtml } from "#kernel";

/** Size of a card, as the services that show previews want it. */
export const CARD = { width: 1200, height: 630 } as const;
/** Where the texts of a card stand. */
export const CARD_TEXT = { margin: 84, titleTop: 196, titleHeight: 268, siteTop: 84 } as const;

/** Colours of a card. */
export interface CardColours {
  paper: string;
  accent: string;
}

/** The background of a card: a band of the accent colour and a faint pattern of lines, like a page. */
export function cardBackground({ paper, accent }: CardColours): Buffer {
  const { width, height } = CARD;
  const lines = [0.62, 0.5, 0.56, 0.4].map((part, at) => {
    const y = 470 + at * 40;
    return `<rect x="${width - 84 - 300 * part * 1.6}" y="${y}" width="${300 * part * 1.6}" height="14" rx="7"/>`;
  });
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">` +
      `<rect width="${width}" height="${height}" fill="${escapeHtml(paper)}"/>` +
      `<rect width="${width}" height="16" fill="${escapeHtml(accent)}"/>` +
      `<g fill="${escapeHtml(accent)}" opacity=".14">${lines.join("")}</g></svg>`,
  );
}
