/** A file of a plugin that extends the panel. */
export interface BootExtension {
  readonly plugin: string;
  /** `panel.js`: for messages. */
  readonly file: string;
  /** Below `{admin.path}/assets/extensions/`. */
  readonly src: string;
}
/** A shortcode that Markdown can have. */
export interface BootShortcode {
  readonly name: string;
  /** Its parameters, in order. */
  readonly params: readonly {
    readonly name: string;
    readonly label: string;
    /** Kind of the field: `text`, `toggle`. */
    readonly type: string;
    readonly required: boolean;
    readonly options: readonly { readonly value: string; readonly label: string }[];
  }[];
}
/** The server writes these values into the document. */
export interface Boot {
  /** The path of `site.url`, which addresses of the API do not have: empty or `/docs`. */
  readonly base: string;
  /** `admin.path` below the path of `site.url`: prefix of every address of the panel. */
  readonly path: string;
  /** The site's title. */
  readonly title: string;
  /** Codes of the languages that pages can have. */
  readonly languages: readonly string[];
  /** Pages of plugins. */
  readonly menu: readonly { path: string; label: string }[];
  readonly extensions: readonly BootExtension[];
  readonly shortcodes: readonly BootShortcode[];
  /** Place in the change feed when the document was made. */
  readonly cursor: string;
}

/** The element that the panel draws into. */
export const root = document.getElementById("panel") ?? document.body;

/** Read once, when the script starts. */
export const boot: Boot = readBoot();

/** Admits style elements under the content security policy. */
export const nonce = document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? "";

function readBoot(): Boot {
  const text = root.dataset["boot"] ?? "{}";
  const data: Partial<Boot> = JSON.parse(text);
  const { base = "", path = "/admin", title = "", cursor = "" } = data;
  const { languages = [], menu = [], extensions = [], shortcodes = [] } = data;
  return { base, path, title, languages, menu, extensions, shortcodes, cursor };
}

/** Adds the path of `site.url` to a root-relative address from the API. */
export function siteHref(address: string): string {
  return /^\/(?!\/)/.test(address) ? boot.base + address : address;
}

/** Removes it again. */
export function sitePath(address: string): string {
  return address.startsWith(`${boot.base}/`) ? address.slice(boot.base.length) : address;
}
