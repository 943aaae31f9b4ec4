import { extname } from "node:path";
import { HttpError } from "#kernel";

/** Extensions of pages, media settings and programs, which are never media. */
const REFUSED: ReadonlySet<string> = new Set(
  ".md .mdx .tsx .ts .jsx .js .mjs .cjs .yaml .yml .html .htm .xhtml .php .exe .sh .bat".split(" "),
);

/**
 * The name to store an uploaded file under.
 * @throws HttpError 400, 415.
 */
export function mediaName(original: string): string {
  const base = original.split(/[/\\]/).at(-1) ?? "";
  const name = base
    .normalize("NFC")
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, "-")
    .replace(/^[.\-~]+/, "");
  const extension = extname(name).toLowerCase();
  if (name === "" || Buffer.byteLength(name) > 200 || extension === "" || extension === ".") {
    throw new HttpError(
      400,
      `${JSON.stringify(base.slice(0, 80))} is not a file name with an extension`,
    );
  }
  if (REFUSED.has(extension)) {
    throw new HttpError(415, `files of type ${JSON.stringify(extension)} are not media`);
  }
  return name;
}
