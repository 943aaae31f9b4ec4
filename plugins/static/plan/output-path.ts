import { staticError } from "../errors.js";

/** Maximum length of a file name in bytes, for common file systems. */
const MAX_NAME = 255;

/**
 * File of an address below the export's folder. Pages are folders with an `index.html`, so that
 * every host finds `/blog/hello`; other files keep their path. Null for responses that no host
 * could serve: not a page, at an address without an extension.
 * @throws ERR_STATIC_WRITE for names that a file system does not accept.
 */
export function outputPath(url: string, type: string): string | null {
  const segments = decoded(url).split("/").slice(1);
  if (segments.at(-1) === "") segments.pop();
  assertNames(segments, url);
  const name = segments.at(-1) ?? "";
  if (!isPage(type)) return /.\.[A-Za-z0-9]+$/.test(name) ? segments.join("/") : null;
  return /.\.html?$/i.test(name) ? segments.join("/") : [...segments, "index.html"].join("/");
}

/** True for documents that a browser shows as a page. */
export function isPage(type: string): boolean {
  return type.startsWith("text/html");
}

function decoded(url: string): string {
  return decodeURIComponent(url).normalize("NFC");
}

function assertNames(segments: readonly string[], url: string): void {
  for (const segment of segments) {
    const isHidden = segment === "" || segment === "." || segment === "..";
    if (isHidden || /[\0\\]/.test(segment) || Buffer.byteLength(segment) > MAX_NAME) {
      throw staticError("ERR_STATIC_WRITE", `${JSON.stringify(url)} is no name for a file`, {
        fix: "give the page a shorter, plainer slug",
      });
    }
  }
}
