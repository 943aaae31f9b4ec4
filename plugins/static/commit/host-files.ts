import { escapeHtml, type SiteContext } from "#kernel";
import type { SiteResponse } from "../contract.js";
import { type BaseAddress, outputPath } from "../plan/addresses.js";
import type { Output, Redirect } from "./manifest.js";

/** Headers of every response that a static host can send too. */
const SENT = [
  "content-security-policy",
  "cross-origin-opener-policy",
  "cross-origin-resource-policy",
  "origin-agent-cluster",
  "permissions-policy",
  "referrer-policy",
  "strict-transport-security",
  "x-content-type-options",
  "x-dns-prefetch-control",
  "x-download-options",
  "x-frame-options",
  "x-permitted-cross-domain-policies",
  "x-xss-protection",
];
/** Media that could run scripts gets an opaque origin when it is opened as a page. */
const ACTIVE = ["svg", "html", "htm", "xhtml", "xml"];
const SANDBOX = "sandbox allow-scripts allow-popups";

/** Inputs of the files for hosts. */
interface HostFilesInput {
  siteAddress: BaseAddress;
  outputs: ReadonlyMap<string, Output>;
  redirects: Iterable<Redirect>;
  /** Redirects of everything below an address, such as `/old/*`. */
  rules: readonly Redirect[];
  /** Any response of the site. */
  sample: Pick<SiteResponse, "headers">;
}

/** Configuration files for hosts; other hosts ignore them. */
export function hostFiles(input: HostFilesInput): Map<string, string> {
  const { siteAddress, outputs } = input;
  const redirects = [...input.redirects];
  // Hosts take the first rule that matches, the site the one of the nearest folder.
  const below = input.rules.toSorted((a, b) => b.from.length - a.from.length);
  const lines = [
    ...redirects.map(({ from, to, status }) => ({
      from: literal(from),
      to: literal(to),
      status,
    })),
    ...below,
  ];
  const files = new Map([
    ["_headers", headersFile(input)],
    [
      "_redirects",
      lines
        .map(
          ({ from, to, status }) =>
            `${siteAddress.prefix}${from} ${target(to, siteAddress)} ${status}\n`,
        )
        .join(""),
    ],
    // GitHub Pages would omit names that start with an underscore.
    [".nojekyll", ""],
  ]);
  for (const redirect of redirects) {
    const file = outputPath(redirect.from, "text/html") ?? "";
    if (!outputs.has(file) && !files.has(file))
      files.set(file, redirectPage(withFolder(redirect), siteAddress));
  }
  return files;
}

function headersFile({ siteAddress, outputs, sample }: HostFilesInput): string {
  const inline = new Set([...outputs.values()].flatMap((output) => output.inline));
  const rows = SENT.flatMap((name) => {
    const value = sample.headers[name];
    if (value === undefined) return [];
    return [`  ${name}: ${name === "content-security-policy" ? withHashes(value, inline) : value}`];
  });
  const blocks = [`${siteAddress.prefix}/*`, ...rows];
  for (const folder of ["content-media", "static", "themes"]) {
    const endings = new Set([...outputs.keys()].flatMap((file) => listEndings(file, folder)));
    for (const ending of ACTIVE.filter((one) => endings.has(one))) {
      blocks.push(
        `${siteAddress.prefix}/${folder}/*.${ending}`,
        `  content-security-policy: ${SANDBOX}`,
      );
    }
  }
  return `${blocks.join("\n")}\n`;
}

function listEndings(file: string, folder: string): string[] {
  return file.startsWith(`${folder}/`) ? [file.slice(file.lastIndexOf(".") + 1).toLowerCase()] : [];
}

/** A nonce has no effect in a file, so inline scripts and styles are listed by digest instead. */
function withHashes(policy: string, inline: ReadonlySet<string>): string {
  const of = (tag: string): string[] =>
    [...inline].filter((one) => one.startsWith(`${tag} `)).map((one) => one.slice(tag.length + 1));
  const hashes: Readonly<Record<string, string[]>> = {
    "script-src": of("script").sort(),
    "style-src": of("style").sort(),
  };
  return policy
    .split(/;\s*/)
    .map((part) => {
      const [name = "", ...sources] = part.split(/\s+/);
      const named = sources.filter((source) => !source.startsWith("'nonce-"));
      return [name, ...named, ...(hashes[name] ?? [])].join(" ");
    })
    .join("; ");
}

/** A star and `:name` are placeholders for hosts. */
function literal(address: string): string {
  return address.replaceAll("*", "%2A").replaceAll(/:(?=[A-Za-z])/g, "%3A");
}

function target(to: string, { prefix }: BaseAddress): string {
  return /^\/(?!\/)/.test(to) ? prefix + to : to;
}

/**
 * The redirect from `/x.html` to `/x/`: many hosts answer `/x` with `x.html`, which would lead to itself without end.
 */
function withFolder(redirect: Redirect): Redirect {
  const { from, to } = redirect;
  return from === `${to}.html` ? { ...redirect, to: `${to}/` } : redirect;
}

/** Redirects on hosts without redirect rules; the page is not indexed. */
function redirectPage({ to }: Redirect, siteAddress: BaseAddress): string {
  const address = escapeHtml(target(to, siteAddress));
  const canonical = /^\/(?!\/)/.test(to) ? escapeHtml(siteAddress.baseUrl + to) : address;
  return [
    `<!doctype html><html><head><meta charset="utf-8"><title>${address}</title>`,
    `<meta http-equiv="refresh" content="0; url=${address}"><link rel="canonical" href="${canonical}">`,
    `<meta name="robots" content="noindex"></head><body><a href="${address}">${address}</a></body></html>\n`,
  ].join("");
}

/** A response with the common headers only. */
export function sampleAnswer(site: SiteContext): Promise<SiteResponse> {
  return site.use("static").request("/robots.txt");
}
