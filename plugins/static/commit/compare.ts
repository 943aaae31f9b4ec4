import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { BaseAddress } from "../plan/addresses.js";
import type { ExportDifference } from "../contract.js";
import type { Manifest } from "./manifest.js";
import { isPage } from "../plan/output-path.js";
import { pageKey } from "../plan/page-key.js";
import { PageRewriter } from "../make/page-rewriter.js";

/** Number of concurrent requests. */
const AT_ONCE = 8;
/** Generated for hosts; the server has no equivalent. */
const OWN = /^(?:_headers$|_redirects$|\.nojekyll$|_site\/search\/|404\.html$|api\/pages\.json$)/;

/** Dependencies of the comparison. */
export interface CompareParts {
  out: string;
  manifest: Manifest;
  place: BaseAddress;
  /** Address of the running server, without a trailing slash. */
  server: string;
  /** Markup that the export adds to the head of search pages, by path. */
  searchHeads: ReadonlyMap<string, string>;
  /** Requests an address; redirects are not followed. */
  get(address: string): Promise<{ status: number; type: string; body: Buffer }>;
}

/** Crawls the running server and the export, and reports every difference. */
export async function compareExport(parts: CompareParts): Promise<ExportDifference[]> {
  const comparison = new Comparison(parts);
  await comparison.run();
  return comparison.differences;
}

class Comparison {
  readonly differences: ExportDifference[] = [];
  readonly #parts: CompareParts;
  readonly #rewriter: PageRewriter;
  readonly #files: ReadonlyMap<string, string>;
  readonly #left: string[] = [];
  readonly #seen = new Set<string>();

  constructor(parts: CompareParts) {
    this.#parts = parts;
    this.#rewriter = new PageRewriter(parts.place);
    this.#files = new Map([...parts.manifest.outputs].map(([file, { url }]) => [keyOf(url), file]));
  }

  async run(): Promise<void> {
    for (const [file, { url, kind }] of this.#parts.manifest.outputs) {
      if (kind !== "made" && !OWN.test(file)) this.#want(url);
    }
    this.#want("/");
    while (this.#left.length > 0) {
      await Promise.all(this.#left.splice(0, AT_ONCE).map((url) => this.#compare(url)));
    }
  }

  #want(url: string): void {
    const key = keyOf(url);
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    this.#left.push(url);
  }

  async #compare(url: string): Promise<void> {
    const file = this.#files.get(keyOf(url));
    const { status, type, body } = await this.#parts.get(this.#parts.server + url);
    if (status !== 200) {
      if (file !== undefined)
        this.#tell(url, `the server answers ${status}, the export has ${file}`);
      return;
    }
    const expected = this.#expected(url, type, body);
    if (file === undefined) {
      // API responses have no file unless they are exported.
      if (isPage(type)) this.#tell(url, "the export does not have it");
      return;
    }
    const found = await readFile(join(this.#parts.out, file)).catch(() => null);
    if (found === null) this.#tell(url, `${file} is gone`);
    else if (!found.equals(expected)) this.#tell(url, `${file} differs${placeOf(found, expected)}`);
  }

  /** Rewrites a response as the export does; also queues the links of the page for comparison. */
  #expected(url: string, type: string, body: Buffer): Buffer {
    if (!isPage(type)) return body;
    const path = url.split("?", 1)[0] ?? "/";
    const { html, links } = this.#rewriter.rewrite(body.toString(), path);
    for (const link of links) this.#want(link);
    const head = this.#parts.searchHeads.get(path) ?? "";
    return Buffer.from(head === "" ? html : html.replace("</head>", () => `${head}</head>`));
  }

  #tell(url: string, difference: string): void {
    this.differences.push({ url, difference });
  }
}

function keyOf(url: string): string {
  return url.includes("?") ? url : pageKey(url);
}

/** The first difference between two texts, with context. */
function placeOf(found: Buffer, expected: Buffer): string {
  let at = 0;
  while (at < found.length && found[at] === expected[at]) at += 1;
  const around = (bytes: Buffer): string =>
    JSON.stringify(bytes.subarray(Math.max(0, at - 20), at + 40).toString());
  return ` at byte ${at}: ${around(found)}, the server has ${around(expected)}`;
}
