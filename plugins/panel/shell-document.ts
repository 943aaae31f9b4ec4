import { escapeHtml } from "#kernel";
import type { ClientEntries, ExtensionEntry } from "./panel-files.js";

/** The values that the document hands to the browser. */
interface ShellInput {
  files: ClientEntries;
  /** Admits the style elements of the text editor. */
  nonce: string;
  /** Path of `site.url`. */
  base: string;
  /** `admin.path`. */
  path: string;
  /** The site's title. */
  title: string;
  /** Codes of the languages that pages can have. */
  languages: readonly string[];
  menu: readonly { path: string; label: string }[];
  extensions: readonly ExtensionEntry[];
  /** The shortcodes that Markdown can have. */
  shortcodes: readonly { name: string; params: readonly object[] }[];
  /** Place in the change feed: events from here on are sent, also those before the stream is open. */
  cursor: string;
}

/** The HTML of every screen: the browser draws the rest. */
export function shellDocument({ files, nonce, ...boot }: ShellInput): string {
  const { base, path, title } = boot;
  // The browser gets public addresses here; markup gets them when it is sent.
  const data = { ...boot, path: base + path };
  const assets = `${path}/assets/panel`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${assets}/${files.style}">
<script type="module" nonce="${nonce}" src="${assets}/${files.script}"></script>
</head>
<body>
<div id="panel" data-boot="${escapeHtml(JSON.stringify(data))}">
<noscript><main><p>The panel needs JavaScript.</p></main></noscript>
</div>
</body>
</html>`;
}

/** Addresses of the panel's screens below `{admin.path}`; the browser's router shows them. */
export const SCREEN_PATHS: readonly string[] = [
  "/pages",
  "/edit/*path",
  "/edit-page",
  "/media",
  "/records",
  "/records/:type",
  "/records/:type/:id",
  "/account",
  "/trash",
  "/planned",
  "/users",
  "/roles",
  "/themes",
  "/tokens",
  "/webhooks",
  "/searches",
  "/searches/:part",
  "/audit",
  "/jobs",
  "/settings",
  "/settings/:section",
  "/redirects",
  "/plugins/:plugin",
  "/plugins/:plugin/*path",
];
