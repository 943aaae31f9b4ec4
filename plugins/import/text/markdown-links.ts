import type { TextReference } from "../../check/contract.js";

/** Finds addresses in Markdown. */
export type ScanText = (text: string) => readonly TextReference[];

/** Markdown with changed addresses of links, images, definitions and HTML attributes; code stays as it is. */
export function changeAddresses(
  markdown: string,
  change: (address: string) => string,
  scan: ScanText,
): string {
  let result = "";
  let done = 0;
  for (const { start, end, target } of scan(markdown)) {
    if (start < done) continue;
    const next = change(target);
    if (next === target) continue;
    result += markdown.slice(done, start) + next;
    done = end;
  }
  return result + markdown.slice(done);
}
