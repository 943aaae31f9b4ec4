/** What is beside the content of a source, for the report: files by their kind, and keys of the configuration. */
import { isRecord } from "#kernel";
import type { NotImported } from "../../contract.js";

/** Kinds of files, the first one that fits. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/\.(?:css|scss|sass|less|styl|pcss|map)$/i, "styles"],
  [
    /\.(?:njk|liquid|hbs|ejs|webc|pug|haml|mustache|twig|php|phtml|vue|svelte|astro|tsx|jsx|jinja2?|j2|erb|slim|tmpl)$/i,
    "templates and components",
  ],
  [
    /(?:^|\/)(?:_?layouts|_?includes|_partials|archetypes|overrides|templates|shortcodes|themes?)\//i,
    "templates and components",
  ],
  [/(?:^|\/)_?data\/|\.(?:csv|tsv|xml|ics|geojson)$/i, "data files"],
  [
    /\.(?:js|cjs|mjs|ts|mts|cts|py|rb|sh|go|rs|lua)$|(?:^|\/)(?:Rakefile|Makefile|Gruntfile)$/i,
    "scripts",
  ],
  [
    /\.(?:ya?ml|json5?|toml|lock|ini|cfg|conf|config|gemspec|mod|sum)$|(?:^|\/)(?:Gemfile|CNAME|Dockerfile)\b[^/]*$/i,
    "configuration",
  ],
  [
    /\.(?:md|mdx|markdown|txt|rst|adoc|html?)$|(?:^|\/)(?:LICENSE|README|AUTHORS|NOTICE)$/i,
    "texts",
  ],
  [
    /\.(?:png|jpe?g|gif|svg|webp|avif|ico|pdf|mp4|webm|mp3|woff2?|ttf|otf|eot)$/i,
    "images, fonts and documents",
  ],
];

/** A file beside the content, counted by its kind. */
export function besideContent(file: string, addresses: readonly string[]): NotImported {
  const kind = KINDS.find(([pattern]) => pattern.test(file))?.[1] ?? "other files";
  return {
    kind: "notImported",
    origin: { file },
    reason: `it is beside the content (${kind})`,
    group: `${kind} beside the content were left out`,
    isCounted: true,
    addresses,
  };
}

/** A configuration file, with the keys that its source reads. */
interface ReadConfig {
  /** Below the source folder. */
  readonly file: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Keys that are read: `title`, `theme.logo`; all those below a key that is named alone are. */
  readonly read: readonly string[];
}

/** A line for each key of a configuration that has no counterpart; those of a map of which some are read one by one. */
export function unreadKeys({ file, data, read }: ReadConfig): NotImported[] {
  const known = new Set(read);
  const parents = new Set(read.flatMap((key) => (key.includes(".") ? key.split(".")[0] : [])));
  const lines: NotImported[] = [];
  const walk = (map: Readonly<Record<string, unknown>>, prefix: string): void => {
    for (const [name, value] of Object.entries(map)) {
      const key = prefix + name;
      if (known.has(key) || isNothing(value)) continue;
      const isGroup = prefix === "" && isRecord(value) && (parents.has(name) || GROUPS.test(name));
      if (isGroup) walk(value, `${key}.`);
      else {
        const reason = `setting ${JSON.stringify(key.slice(0, 100))} has no counterpart`;
        lines.push({ kind: "notImported", origin: { file }, reason });
      }
    }
  };
  walk(data, "");
  return lines;
}

/** Maps of settings that are listed one by one. */
const GROUPS = /^(?:theme|themeConfig|themes|extra|params|plugins|markup)$/;

function isNothing(value: unknown): boolean {
  return value === null || value === undefined || value === "" || value === false;
}

/**
 * The keys of the object that a script exports, and those of the maps in it: `{ title: true, themeConfig: { navbar: true
 * } }`. What is computed is not seen.
 */
export function scriptKeys(source: string): Record<string, unknown> {
  const start =
    /(?:module\.exports\s*=|export\s+default|defineConfig\(|const\s+config\b[^=\n]*=)[^{]{0,200}\{/.exec(
      source,
    );
  if (start === null) return {};
  const keys: Record<string, unknown> = {};
  let depth = 1;
  let parent: Record<string, unknown> | null = null;
  const TOKEN =
    /\/\/[^\n]*|\/\*[^]{0,2000}?\*\/|`[^`]*`|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|[{}[\]()]|(?<![\w$])([A-Za-z_$][\w$]{0,100})\s{0,20}:(?!:)/g;
  TOKEN.lastIndex = start.index + start[0].length;
  for (let token = TOKEN.exec(source); token !== null && depth > 0; token = TOKEN.exec(source)) {
    const [whole, name] = token;
    if (/^[{[(]$/.test(whole)) depth += 1;
    else if (/^[}\])]$/.test(whole)) depth -= 1;
    else if (name !== undefined && depth === 1) {
      const isMap = /^\s*\{/.test(source.slice(TOKEN.lastIndex, TOKEN.lastIndex + 20));
      parent = isMap ? {} : null;
      keys[name] = parent ?? true;
    } else if (name !== undefined && depth === 2 && parent !== null) parent[name] = true;
  }
  return keys;
}
