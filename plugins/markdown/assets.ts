/** Files that browsers need for formulas and diagrams: only pages that use them refer to them. */
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { type SiteContext, HttpError } from "#kernel";
import { readPackage, runningFile } from "#lib/packages";
import { sha256 } from "#lib/secrets";
import { mathStyleSheet } from "./syntax/math-styles.js";

const FOLDER = "/_site/markdown";
const FOREVER = "public, max-age=31536000, immutable";
const AN_HOUR = "public, max-age=3600, must-revalidate";
const FONT = /^KaTeX_[\w-]+\.woff2$/;
/** Part of addresses: the files change with the package only. Read once, because each page has it. */
const VERSION = sha256(readPackage().version).slice(0, 8);
const CLIENT = /^(?:diagrams|diagram-frame)\.js$|^diagram\.html$/;
/** Mermaid writes inline styles; the frame has no origin and shows nothing but a diagram. */
const FRAME_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src data:; font-src data:; frame-ancestors 'self'; sandbox allow-scripts";

interface File {
  readonly type: string;
  readonly body: Buffer;
}

/** Serves the files. */
export function declareAssets(site: SiteContext): void {
  // Not in site.cache: a handful of files that never change while the site runs.
  const files = new Map<string, File | null>();
  site.http.route({
    method: "get",
    path: `${FOLDER}/*path`,
    summary: "A file for formulas or diagrams",
    hidden: true,
    handler: (req, res) => {
      const { path } = req.params as { path?: string | string[] };
      const name = [path ?? []].flat().join("/");
      const file = files.get(name) ?? findFile(name);
      if (file === null) throw new HttpError(404, "not found");
      files.set(name, file);
      const isExact = new URLSearchParams(req.ctx.search).get("v") === VERSION;
      const headers: Record<string, string> = {
        "Cache-Control": isExact ? FOREVER : AN_HOUR,
        "Access-Control-Allow-Origin": "*",
      };
      if (name === "diagram.html") headers["Content-Security-Policy"] = FRAME_POLICY;
      site.http.send(req, res, { ...file, headers, cache: { tags: new Set(["config"]) } });
    },
  });
}

/** Markup for the `<head>` of a page with this body. */
export function assetHead(html: string): string {
  const v = `?v=${VERSION}`;
  const math = html.includes('class="katex"')
    ? `<link rel="stylesheet" href="${FOLDER}/katex.css${v}">`
    : "";
  if (!html.includes('<div class="diagram">')) return math;
  const frame = `<link rel="prefetch" href="${FOLDER}/diagram.html${v}">`;
  return `${math}${frame}<script defer src="${FOLDER}/diagrams.js${v}"></script>`;
}

/** Addresses of the files that style sheets refer to, which an export cannot find in pages. */
export function fontAddresses(): string[] {
  return readdirSync(join(katexFolder(), "fonts"))
    .filter((name) => FONT.test(name))
    .map((name) => `${FOLDER}/fonts/${name}`);
}

function findFile(name: string): File | null {
  if (name === "katex.css") return { type: "text/css; charset=utf-8", body: mathStyles() };
  if (name === "mermaid.js") {
    const file = createRequire(import.meta.url).resolve("@mermaid-js/tiny");
    return { type: "text/javascript; charset=utf-8", body: readFileSync(file) };
  }
  const font = /^fonts\/(.+)$/.exec(name)?.[1] ?? "";
  if (FONT.test(font)) {
    return { type: "font/woff2", body: readFileSync(join(katexFolder(), "fonts", font)) };
  }
  if (!CLIENT.test(name)) return null;
  const type = name.endsWith(".js") ? "text/javascript" : "text/html";
  const body = readFileSync(runningFile(`plugins/markdown/client/${name}`));
  return { type: `${type}; charset=utf-8`, body };
}

/** The style sheet of KaTeX with its smallest fonts only, and the classes of inline styles. */
function mathStyles(): Buffer {
  const text = readFileSync(join(katexFolder(), "katex.min.css"), "utf8");
  const fonts = text.replace(/,url\([^)]*\.(?:woff|ttf)\) format\("[^"]*"\)/g, "");
  return Buffer.from(
    fonts.replaceAll("font-display:block", "font-display:swap") + mathStyleSheet(),
  );
}

function katexFolder(): string {
  return dirname(createRequire(import.meta.url).resolve("katex"));
}
