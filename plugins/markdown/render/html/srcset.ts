import { safeUrl } from "./safe-url.js";

/** A candidate of a `srcset`: URL and width or density. */
export interface SrcsetCandidate {
  url: string;
  descriptor: string;
}

/** Parses a `srcset` (HTML 4.8.4.2.1, without parentheses in descriptors). */
export function parseSrcset(value: string): SrcsetCandidate[] {
  const candidates: SrcsetCandidate[] = [];
  let open: SrcsetCandidate | null = null;
  for (const word of value.split(/[\t\n\f\r ]+/)) {
    const text = word.replace(/^,+/, "");
    if (text.length < word.length) open = null;
    if (text === "") continue;
    const bare = text.endsWith(",") ? text.slice(0, text.search(/(?<!,),+$/)) : text;
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

/** Maps the URLs of a `srcset`; omits candidates with unsafe URLs. */
export function mapSrcset(value: string, map: (url: string) => string): string {
  return parseSrcset(value)
    .map(({ url, descriptor }) => ({ url: safeUrl(map(url), "source"), descriptor }))
    .filter(({ url, descriptor }) => url !== null && /^(?:\d+(?:\.\d+)?[wx])?$/.test(descriptor))
    .map(({ url, descriptor }) => `${url} ${descriptor}`.trim())
    .join(", ");
}
