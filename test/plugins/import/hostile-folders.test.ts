import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { parse } from "yaml";
import { bootEmpty, runImport } from "../../support/sites/import-site.js";

const run = promisify(execFile);
const SECRET = "canary-of-another-file";
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
/** YAML whose aliases unfold to 10^9 values. */
const BOMB = `a: &a [${"x,".repeat(9)}x]\n${"bcdefghi"
  .split("")
  .map((name, at) => `${name}: &${name} [${`*${"abcdefgh"[at]},`.repeat(9)}*${"abcdefgh"[at]}]`)
  .join("\n")}`;
const ADDRESSES = ["../../../../etc/x", "/../../x", "//evil.example/x", "/admin", "javascript:x"];

interface Layout {
  source: string;
  /** Where pages are, with a slash. */
  pages: string;
  /** Name of a page, from its stem. */
  page: (stem: string) => string;
  /** A page with these fields. */
  text: (fields: Readonly<Record<string, string>>) => string;
  /** Its configuration, as a link to another file and as a broken file. */
  configs: readonly string[];
}
/** Configurations outside of the source that would move its pages or addresses. */
const FOREIGN: Readonly<Record<string, string>> = {
  hugo: 'contentDir = "stolen"\n',
  jekyll: "permalink: /stolen/:title\n",
  docusaurus: 'module.exports = { docs: { routeBasePath: "stolen" } };\n',
  mkdocs: "docs_dir: stolen\n",
  vitepress: "export default { srcDir: 'stolen' };\n",
  vuepress: "module.exports = { locales: { '/stolen/': {} } };\n",
  starlight: "export default { base: '/stolen' };\n",
  nuxt: "title: stolen\n",
  mdbook: '[book]\nsrc = "stolen"\n',
  gitbook: "root: ./stolen/\n",
  docsify: "<script>$docsify = { basePath: 'stolen' }</script>\n",
  zola: 'base_url = "https://stolen.example"\n',
};
const matter = (fields: Readonly<Record<string, string>>): string =>
  `---\n${Object.entries(fields)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`)
    .join("")}---\nText\n`;
const markdown = (source: string, pages: string, ...configs: string[]): Layout => ({
  source,
  pages,
  text: matter,
  page: (stem) => `${stem}.md`,
  configs,
});
const folders = (source: string, pages: string, ...configs: string[]): Layout => ({
  ...markdown(source, pages, ...configs),
  page: (stem) => `${stem}/default.md`,
});
const LAYOUTS: readonly Layout[] = [
  markdown("hugo", "content/", "hugo.toml", "config/_default/languages.yaml"),
  markdown("jekyll", "_posts/2020-01-01-", "_config.yml"),
  markdown("eleventy", "content/"),
  markdown("docusaurus", "docs/", "docusaurus.config.js", "docs/_category_.json"),
  markdown("mkdocs", "docs/", "mkdocs.yml"),
  markdown("vitepress", "docs/", "docs/.vitepress/config.ts"),
  markdown("vuepress", "docs/", "docs/.vuepress/config.js"),
  markdown("starlight", "src/content/docs/", "astro.config.mjs"),
  markdown("nuxt", "content/", "content/.navigation.yml", "nuxt.config.ts"),
  markdown("mdbook", "src/", "book.toml", "src/SUMMARY.md"),
  markdown("gitbook", "", ".gitbook.yaml", "SUMMARY.md"),
  markdown("docsify", "", "index.html", "_coverpage.md"),
  markdown("zola", "content/", "config.toml"),
  markdown("obsidian", ""),
  markdown("notion", ""),
  folders("grav", "user/pages/"),
  folders("dune", "content/"),
  {
    source: "kirby",
    pages: "content/",
    page: (stem) => `${stem}/default.txt`,
    text: (fields) =>
      Object.entries(fields)
        .map(([name, value]) => `${name}: ${value}`)
        .join("\n----\n"),
    configs: ["site/languages/en.php", "content/photo.png.txt"],
  },
];

describe("site import of hostile folders", () => {
  for (const layout of LAYOUTS) {
    const { source, pages, page, text, configs } = layout;
    const put = async (root: string, path: string, bytes: string | Buffer): Promise<void> => {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), bytes);
    };
    const at = (stem: string): string => pages + page(stem);

    it(`imports what is readable of ${source}, reports the rest, and reads nothing else`, async () => {
      const outside = {
        "outside/secret.txt": SECRET,
        "outside/secret.png": PNG,
        "outside/x.md": SECRET,
      };
      const site = await bootEmpty(outside);
      try {
        const from = join(site.root, "from");
        await put(from, at("good"), text({ title: "Good" }));
        await put(from, at("latin"), Buffer.from(text({ title: "Gr\u00f6\u00dfe" }), "latin1"));
        await put(from, at("wide"), Buffer.from(`\uFEFF${text({ title: "Wide" })}`, "utf16le"));
        await put(from, at("bomb"), `---\n${BOMB}\n---\n`);
        await put(
          from,
          at("deep"),
          `${text({ title: "Deep" })}${"> ".repeat(5_000)}x\n${"[".repeat(5_000)}`,
        );
        for (const [index, address] of ADDRESSES.entries()) {
          const fields = {
            title: "T",
            slug: address,
            url: address,
            permalink: address,
            id: address,
          };
          await put(
            from,
            at(`address${index}`),
            text({ ...fields, aliases: address, redirect_from: address }),
          );
        }
        for (const name of [
          "..%2f..%2fescape",
          "a\\..\\b",
          "con:aux",
          "line\nbreak",
          "x".repeat(200),
        ])
          await put(from, at(name), text({ title: "Name" }));
        await put(site.root, "outside/config", FOREIGN[source] ?? SECRET);
        for (const config of configs) {
          await mkdir(dirname(join(from, config)), { recursive: true });
          await symlink(join(site.root, "outside/config"), join(from, config));
        }
        await mkdir(dirname(join(from, at("link"))), { recursive: true });
        await symlink(join(site.root, "outside/x.md"), join(from, at("link")));
        await symlink(join(site.root, "outside"), join(from, `${dirname(at("good"))}/linked`));
        await symlink(
          join(site.root, "outside/secret.png"),
          join(from, `${dirname(at("good"))}/p.png`),
        );
        await run("mkfifo", [join(from, `${dirname(at("good"))}/pipe.md`)]);
        const before = await listed(site.root);

        const { code, json } = await runImport(site, [source, "from"], {
          json: true,
          media: false,
        });
        const report = JSON.stringify(json);
        assert.equal(code, 0, report);
        assert.match(report, /latin[^"]*","reason":"it is not UTF-8 text"/);
        assert.match(report, /wide[^"]*","reason":"it is not UTF-8 text"/);
        assert.match(report, /symbolic links are not followed/);
        const texts = await contents(site.root);
        assert.ok(
          texts.some((one) => /title: Good/i.test(one)),
          texts.join("\n"),
        );
        assert.doesNotMatch(texts.join("\n") + report, new RegExp(SECRET));
        assert.deepEqual(await listed(site.root), before);
        assert.doesNotMatch(await readFile(join(site.root, "site.yaml"), "utf8"), /stolen/);
        const paths = await readdir(join(site.root, "content"), { recursive: true });
        assert.doesNotMatch(paths.join("\n"), /stolen/);
        const { redirects = {} } = parse(await readFile(join(site.root, "site.yaml"), "utf8"));
        for (const [old, target] of Object.entries<string>(redirects))
          assert.match(`${old} ${target}`, /^\/(?!\/)[^\\\s]* \/(?!\/)[^\\\s]*$/);
        assert.notEqual((await site.fetch("/admin")).status, 500);
      } finally {
        await site.close();
      }
    });

    if (configs.length > 0)
      it(`imports ${source} with a configuration that is broken or never ends`, async () => {
        const site = await bootEmpty();
        try {
          const from = join(site.root, "from");
          await put(from, at("good"), text({ title: "Good" }));
          const [first = "", ...others] = configs;
          await put(
            from,
            first,
            Buffer.concat([
              Buffer.from(`${BOMB}\n{ [ < docs: {`),
              Buffer.alloc(200_000, "docs: {"),
            ]),
          );
          for (const config of others) {
            await mkdir(dirname(join(from, config)), { recursive: true });
            await symlink("/dev/zero", join(from, config));
          }
          const { code } = await runImport(site, [source, "from"], { json: true, media: false });
          assert.equal(code, 0);
          assert.ok((await contents(site.root)).some((one) => /title: Good/i.test(one)));
        } finally {
          await site.close();
        }
      });
  }
});

/** Everything in the site root that an import must not change. */
async function listed(root: string): Promise<string[]> {
  const all = await readdir(root, { recursive: true });
  return all.filter((path) => !/^(?:content|\.dune)(?:\/|$)/.test(path)).sort();
}

/** The texts of all pages of the site. */
async function contents(root: string): Promise<string[]> {
  const all = await readdir(join(root, "content"), { recursive: true, withFileTypes: true });
  const files = all.filter((entry) => entry.isFile());
  return Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name), "utf8")));
}
