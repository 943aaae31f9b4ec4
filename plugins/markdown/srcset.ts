import { safeUrl } from "./safe-url.js";

/** One candidate of a `srcset`: an address and its width or density. */
export interface SrcsetCandidate {
  url: string;
  descriptor: string;
}

/** The candidates of a `srcset` (HTML 4.8.4.2.1, without parentheses in descriptors). */
export function parseSrcset(value: string): SrcsetCandidate[] {
  const candidates: SrcsetCandidate[] = [];
  let open: SrcsetCandidate | null = null;
  for (const word of value.split(/[\t\n\f\r ]+/)) {
    const text = word.replace(/^,+/, "");
    if (text.length < word.length) open = null;
    if (text === "") continue;
    const bare = text.endsWith(",") ? text.slice(0, text.search(/,+$/)) : text;
    if (open === null) {
      open = { url: bare, descriptor: "" };
      candidates.push(open);
    } else if (open.descriptor === "") {
      open.descriptor = bare;
    }
    if (bare.length < text.length) open = null;
  }
  return candidates;
}

/** A `srcset` with each address passed through `map`; candidates with unsafe addresses are left out. */
export function mapSrcset(value: string, map: (url: string) => string): string {
  return parseSrcset(value)
    .map(({ url, descriptor }) => ({ url: safeUrl(map(url), "source"), descriptor }))
    .filter(({ url, descriptor }) => url !== null && /^(?:\d+(?:\.\d+)?[wx])?$/.test(descriptor))
    .map(({ url, descriptor }) => `${url} ${descriptor}`.trim())
    .join(", ");
}
