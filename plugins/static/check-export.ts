import { request } from "node:http";
import { request as secureRequest } from "node:https";
import { resolve, join } from "node:path";
import { readFile } from "node:fs/promises";
import type { CommandInput } from "#kernel";
import { parseBaseUrl, type BaseAddress, isPage, pageKey } from "./plan/addresses.js";
import { staticError } from "./errors.js";
import { readManifest, type Manifest } from "./commit/manifest.js";
import { searchHeads } from "./make/generated-files.js";
import type { ExportDifference } from "./contract.js";
import { PageRewriter } from "./make/page-rewriter.js";

/** Timeout of a server response, in ms. */
const PATIENCE_MS = 30_000;

/**
 * `build --static --check [address]`: requests every file of the export and every link target from
 * the running server, and prints the differences. Exits with 1 if there are any.
 */
export async function checkExport(
  { site, out, options }: CommandInput,
  folder: string,
  baseUrl: string | null,
): Promise<number> {
  const booted = await site({
    purpose: "export",
    ...(baseUrl !== null && { overrides: { site: { url: baseUrl } } }),
  });
  const manifest = await readManifest(folder);
  if (manifest === null || manifest === "damaged") {
    throw staticError("ERR_STATIC_OPTION", `${JSON.stringify(folder)} holds no export to check`, {
      fix: "export first: site build --static",
    });
  }
  const { url } = booted.settings.site;
  const server = options["check"] === true ? url : String(options["check"]);
  const base = parseBaseUrl(url);
  const differences = await compareExport({
    out: resolve(folder),
    manifest,
    siteAddress: base,
    get,
    server: server.replace(/(?<!\/)\/+$/, ""),
    searchHeads: searchHeads(booted, base),
  });
  if (options["json"] === true) out.json({ differences });
  else for (const one of differences) out.line(`${one.url}: ${one.difference}`);
  if (differences.length === 0 && options["json"] !== true) {
    out.line(`${out.colour.green("✓")} the export is what ${server} serves`);
  }
  return differences.length === 0 ? 0 : 1;
}

function get(address: string): Promise<{ status: number; type: string; body: Buffer }> {
  const ask = address.startsWith("https:") ? secureRequest : request;
  return new Promise((done, reject) => {
    const asking = ask(address, { timeout: PATIENCE_MS }, (answer) => {
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => parts.push(part));
      answer.once("error", reject);
      answer.once("end", () => {
        const type = answer.headers["content-type"] ?? "";
        done({ status: answer.statusCode ?? 0, type, body: Buffer.concat(parts) });
      });
    });
    asking.once("timeout", () => asking.destroy(new Error(`${address} does not answer`)));
    asking.once("error", reject);
    asking.end();
  });
}

/** Number of concurrent requests. */
const AT_ONCE = 8;
/** Generated for hosts; the server has no equivalent. */
const OWN = /^(?:_headers$|_redirects$|\.nojekyll$|_site\/search\/|404\.html$|api\/pages\.json$)/;

/** Dependencies of the comparison. */
interface CompareOptions {
  out: string;
  manifest: Manifest;
  siteAddress: BaseAddress;
  /** Address of the running server, without a trailing slash. */
  server: string;
  /** Markup that the export adds to the head of search pages, by path. */
  searchHeads: ReadonlyMap<string, string>;
  /** Requests an address; redirects are not followed. */
  get(address: string): Promise<{ status: number; type: string; body: Buffer }>;
}

/** Crawls the running server and the export, and reports every difference. */
export async function compareExport(options: CompareOptions): Promise<ExportDifference[]> {
  const comparison = new Comparison(options);
  await comparison.run();
  return comparison.differences;
}

class Comparison {
  readonly differences: ExportDifference[] = [];
  readonly #options: CompareOptions;
  readonly #rewriter: PageRewriter;
  readonly #files: ReadonlyMap<string, string>;
  readonly #left: string[] = [];
  readonly #seen = new Set<string>();

  constructor(options: CompareOptions) {
    this.#options = options;
    this.#rewriter = new PageRewriter(options.siteAddress);
    this.#files = new Map(
      [...options.manifest.outputs].map(([file, { url }]) => [comparisonKey(url), file]),
    );
  }

  async run(): Promise<void> {
    for (const [file, { url, kind }] of this.#options.manifest.outputs) {
      if (kind !== "made" && !OWN.test(file)) this.#want(url);
    }
    this.#want("/");
    while (this.#left.length > 0) {
      await Promise.all(this.#left.splice(0, AT_ONCE).map((url) => this.#compare(url)));
    }
  }

  #want(url: string): void {
    const key = comparisonKey(url);
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    this.#left.push(url);
  }

  async #compare(url: string): Promise<void> {
    const file = this.#files.get(comparisonKey(url));
    const { status, type, body } = await this.#options.get(this.#options.server + url);
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
    const actual = await readFile(join(this.#options.out, file)).catch(() => null);
    if (actual === null) this.#tell(url, `${file} is gone`);
    else if (!actual.equals(expected))
      this.#tell(url, `${file} differs${firstDifference(actual, expected)}`);
  }

  /** Rewrites a response as the export does; also queues the links of the page for comparison. */
  #expected(url: string, type: string, body: Buffer): Buffer {
    if (!isPage(type)) return body;
    const path = url.split("?", 1)[0] ?? "/";
    const { html, links } = this.#rewriter.rewrite(body.toString(), path);
    for (const link of links) this.#want(link);
    const head = this.#options.searchHeads.get(path) ?? "";
    return Buffer.from(head === "" ? html : html.replace("</head>", () => `${head}</head>`));
  }

  #tell(url: string, difference: string): void {
    this.differences.push({ url, difference });
  }
}

function comparisonKey(url: string): string {
  return url.includes("?") ? url : pageKey(url);
}

/** The first difference between two texts, with context. */
function firstDifference(actual: Buffer, expected: Buffer): string {
  let at = 0;
  while (at < actual.length && actual[at] === expected[at]) at += 1;
  const around = (bytes: Buffer): string =>
    JSON.stringify(bytes.subarray(Math.max(0, at - 20), at + 40).toString());
  return ` at byte ${at}: ${around(actual)}, the server has ${around(expected)}`;
}
