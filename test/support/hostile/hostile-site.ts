import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createLog } from "#lib/log";
import { bootSite, type BootOptions, type TestSite } from "../sites/boot-site.js";

/** A marker in everything that must never leave the site: drafts, gated pages, private keys, secrets, files outside. */
export const CANARY = "zcanaryz";

const bomb = [
  "a0: &a0 [x, x, x, x, x, x, x, x, x]",
  ...Array.from({ length: 9 }, (_, at) => {
    const alias = `*a${at}`;
    return `a${at + 1}: &a${at + 1} [${Array<string>(9).fill(alias).join(", ")}]`;
  }),
].join("\n");

/** Malformed pages beside a few valid ones. */
const files: Readonly<Record<string, string | Buffer>> = {
  "site.yaml":
    `title: "<b>Hostile</b> & Co"\nurl: https://site.example\nhealth_token: ${CANARY}-token-of-health\n` +
    "taxonomies: [tag, category]\nfeed: {enabled: true}\n",
  "content/01.home/default.md": "---\ntitle: Home\n---\nHello.\n",
  "content/02.blog/blog.md": "---\ntitle: Blog\ncollection: {items: '@self.children'}\n---\nAll.\n",
  "content/02.blog/01.post/post.md":
    "---\ntitle: Post\ndate: 2026-01-02\ntaxonomy: {tag: [one]}\n---\n# Post\n",
  "content/02.blog/02.draft/post.md": `---\ntitle: ${CANARY} draft\npublished: false\ntaxonomy: {tag: ${CANARY}}\n---\n${CANARY}\n`,
  "content/03.gated/default.md": `---\ntitle: ${CANARY} gated\nroles: [member]\n---\n${CANARY}\n`,
  "content/03.gated/secret.txt": CANARY,
  "content/04.private-key/default.md": `---\ntitle: Keys\n_internal: ${CANARY}\n_nested:\n  deep: ${CANARY}\n---\nOpen.\n`,
  "content/05.bomb/default.md": `---\n${bomb}\n---\nBoom.\n`,
  "content/06.broken/default.md": "---\ntitle: [unclosed\n: : :\n---\nBroken.\n",
  "content/07.large/default.md": `---\ntitle: Large\n---\n${"a long line of text\n".repeat(550_000)}`,
  "content/08.empty/default.md": "",
  "content/09.twin/default.md": "---\ntitle: First twin\n---\n",
  "content/10.twin/default.md": "---\ntitle: Second twin\n---\n",
  "content/11.mit leerzeichen/default.md": "---\ntitle: Spaces\n---\n",
  "content/12.größe/default.md": "---\ntitle: Umlauts\n---\n",
  "content/13.100%/default.md": "---\ntitle: Per cent\n---\n",
  "content/14.c#/default.md": "---\ntitle: Sharp\n---\n",
  "content/15.bytes/default.md": Buffer.from([
    0x23, 0x20, 0xff, 0xfe, 0x80, 0x0a, 0xc3, 0x28, 0x0a,
  ]),
  "content/16.payload/default.md":
    '---\ntitle: "<img src=x onerror=alert(1)>"\ntaxonomy: {tag: ["</script><script>"]}\n---\n</script><script>alert(1)</script>\n',
  "content/17.media/default.md": "---\ntitle: Media\n---\n![x](notes.txt)\n",
  "content/17.media/notes.txt": "notes\n",
  "content/17.media/page.html": "<script>alert(1)</script>",
  "content/17.media/logo.svg":
    '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
  "content/17.media/cover.jpg": "no picture",
  "content/18.nested/default.md": `---\ndeep: ${"[".repeat(20_000)}\n---\n`,
  "content/.env": `SECRET=${CANARY}\n`,
  "content/.git/config": CANARY,
  "config.env": CANARY,
  "flex-objects/product.yaml": "title: Products\nfields: {name: {type: text, required: true}}\n",
  "flex-objects/product/a.yaml": "name: Lamp\n",
  "flex-objects/product/hidden.yaml": `name: ${CANARY}\npublished: false\n`,
};

/** A running hostile site, its log, and the location of its canaries outside the root. */
export interface HostileSite extends TestSite {
  /** Lines of the JSON log. */
  lines(): string[];
}

/** Boots the hostile site in production with every plugin and a JSON log. */
export async function bootHostileSite(options: BootOptions = {}): Promise<HostileSite> {
  const outer = await mkdtemp(join(tmpdir(), "hostile-"));
  const root = join(outer, "site");
  const put = async (file: string, data: string | Buffer): Promise<void> => {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, data);
  };
  for (const [file, data] of Object.entries(files)) await put(join(root, file), data);
  await put(join(outer, "outside", "canary.txt"), CANARY);
  await put(join(outer, "outside", "default.md"), `# ${CANARY}\n`);
  await symlink(join(outer, "outside"), join(root, "content", "evil-link"));
  await symlink(
    join(outer, "outside", "canary.txt"),
    join(root, "content", "17.media", "link.txt"),
  );
  const lines: string[] = [];
  const stream = { write: (line: string) => void lines.push(line) };
  const site = await bootSite({
    root,
    env: { SITE_ENV: "production", SITE_AUTH_SECRET: `${CANARY}-${"s".repeat(32)}` },
    log: await createLog({ format: "json", level: "debug", stream }),
    ...options,
    settings: { system: { server: { rate_limit: false } }, ...options.settings },
  });
  return {
    ...site,
    lines: () => lines,
    close: async () => {
      await site.close();
      await rm(outer, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
