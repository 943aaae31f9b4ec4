/** The names by which links call pages and files, in one spelling. */

const WEB = /^(?:https?:)?\/\//i;
/** Old addresses of WordPress, by number. */
const NUMBERED = ["p", "page_id", "attachment_id"];

/** The key of a file below the source folder. */
export function fileKey(path: string): string {
  return `file:${path.normalize("NFC")}`;
}

/** The key of a name in a wiki link; upper and lower case are the same. */
export function wikiKey(name: string): string {
  return `wiki:${name.trim().normalize("NFC").toLowerCase()}`;
}

/** The key of a number that the source gives its items. */
export function idKey(id: string): string {
  return `id:${id}`;
}

/** The key of an address: of a path when the host is that of the old site, else of host and path. */
export function addressKey(address: string, hosts: ReadonlySet<string>): string | null {
  if (!WEB.test(address)) return address.startsWith("/") ? pathKey(address) : null;
  const text = address.startsWith("//") ? `https:${address}` : address;
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  const path = pathKey(url.pathname + url.search);
  return isHostOf(url.hostname, hosts) ? path : `//${url.host}${path}`;
}

/** An address of the old site as the `from` of a redirect, with its query. */
export function redirectKey(address: string, hosts: ReadonlySet<string>): string | null {
  const key = addressKey(address, hosts);
  if (key === null || !/^\/(?!\/)/.test(key)) {
    const isHere =
      key?.startsWith("id:") === true && URL.canParse(address, "https://invalid.invalid");
    return isHere ? withQuery(address) : key;
  }
  return /\?./s.test(address) ? withQuery(address) : encodedPath(key);
}

/** The anchor of an address with its mark; empty without one. */
export function readAnchor(address: string): string {
  const at = address.indexOf("#");
  return at === -1 ? "" : address.slice(at);
}

/** An anchor, or the text of a heading, without what systems spell differently. */
export function anchorKey(anchor: string): string {
  return decoded(anchor)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "");
}

/** The anchor of an address of a page with its mark; empty for that of its title, which is the top of the page. */
export function anchorOn({ titleAnchor }: { titleAnchor: string | null }, address: string): string {
  const anchor = readAnchor(address);
  return titleAnchor !== null && anchorKey(anchor) === titleAnchor ? "" : anchor;
}

function withQuery(address: string): string {
  const { pathname, search } = new URL(address, "https://invalid.invalid");
  return `${encodedPath(pathKey(pathname))}${search.length < 2 ? "" : search}`;
}

/** A decoded path as `redirects` of site.yaml takes it. */
export function encodedPath(path: string): string {
  // A star at the end would redirect everything below.
  return path.replaceAll(/[\s\\%?#*\p{Cc}]/gu, (character) =>
    character === "*" ? "%2A" : encodeURIComponent(character),
  );
}

/** The key of a path with query. */
function pathKey(path: string): string {
  const [plain = "", query = ""] = path.replace(/#.*$/s, "").split("?", 2);
  const parameters = new URLSearchParams(query);
  for (const name of NUMBERED) {
    const id = parameters.get(name);
    if (id !== null) return idKey(id);
  }
  const trimmed = decoded(plain).replace(/(?<!\/)\/+$/, "");
  return trimmed === "" ? "/" : trimmed.normalize("NFC");
}

/** True for a host of the old site, with or without `www.`. */
export function isHostOf(host: string, hosts: ReadonlySet<string>): boolean {
  const bare = host.toLowerCase().replace(/^www\./, "");
  return hosts.has(bare) || hosts.has(`www.${bare}`);
}

/** Decodes percent signs; a stray one stays. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
