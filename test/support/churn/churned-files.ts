/** Plugins of a site under churn. */
export const CHURNED_PLUGINS = [
  "cache",
  "content",
  "feeds",
  "flex",
  "health",
  "markdown",
  "media",
  "pages",
  "render",
  "search",
  "static",
];

const page = (title: string): string => `---\ntitle: ${title}\n---\n# ${title}\n`;

/** Content and records of a site before its churn, by path below the root. */
export const CHURNED_CONTENT: Readonly<Record<string, string>> = {
  "flex-objects/product.yaml": "title: Product\nfields:\n  name: { type: text }\n",
  "content/01.home/default.md": page("Home"),
  "content/02.blog/default.md": page("Blog"),
  "content/02.blog/a/default.md": page("A"),
  "secret.md": page("Secret"),
};

/** Keys of system.yaml, and the file; JSON is YAML. */
export const CHURNED_SYSTEM = {
  languages: { supported: ["en", "de"], default: "en" },
  search: { include_flex: ["product"] },
};

/** Configuration and content of a site before its churn. */
export const CHURNED_FILES: Readonly<Record<string, string>> = {
  ...CHURNED_CONTENT,
  "site.yaml": "title: Test\nurl: https://example.org\n",
  "system.yaml": JSON.stringify(CHURNED_SYSTEM),
};
