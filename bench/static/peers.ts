/**
 * Real documentation and a blog, built by us and by the generators that their authors use, from the same Markdown:
 * `npm run bench -- peers`. `BENCH_BOOK` is a checkout of rust-lang/book, by default cloned.
 */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { writeTree } from "../support/content-files.js";
import { installOurs, installPeer, measure, writeInto, type Cost } from "../support/programs.js";
import { machine, median, runAsScript, short, table, writeSection } from "../support/report.js";

const ROUNDS = 2;
const DOCUSAURUS_PAGES = 300;
const POSTS = 1_000;
const BOOK = "https://github.com/rust-lang/book.git";

/** The same Markdown for two programs. */
interface Comparison {
  readonly name: string;
  readonly pages: number;
  readonly peer: string;
  /** Why the peer cannot be measured here, or null. */
  readonly missing: string | null;
  /** Folder of our site. */
  readonly root: string;
  /** The peer's command, in its project. */
  readonly command: readonly string[];
  readonly project: string;
  /** Output and caches of the peer, below its project. */
  readonly outputs: readonly string[];
}

/** Measures comparisons, by default all, and writes the section of each. */
export async function main(names: readonly string[] = Object.keys(COMPARISONS)): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "site-bench-docs-"));
  try {
    const bin = installOurs(folder);
    for (const [name, { title, how, prepare }] of Object.entries(COMPARISONS)) {
      if (!names.includes(name)) continue;
      const comparison = prepare(join(folder, name));
      const head = ["site", "pages", "program", "s", "CPU s", "CPU of ours"];
      const { missing } = comparison;
      const result =
        missing === null
          ? table(head, measureBoth(bin, comparison))
          : `Not measured here: ${missing}.`;
      await writeSection(
        `peers-${name}`,
        `## ${title}\n\n${machine()}, load of the machine at the end ${loadavg().map(short).join(", ")}. The same Markdown for both, from the start of the process to its end, without caches, medians of ${ROUNDS} interleaved rounds. Ours is \`site build --static\` with the default theme, a social card (PNG) of each page, its search index, feeds, sitemap and check of all links. ${how}\n\n${result}`,
      );
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function measureBoth(bin: string, comparison: Comparison): string[][] {
  const { name, pages, peer, root, command, project, outputs } = comparison;
  const [ours, theirs]: [Cost[], Cost[]] = [[], []];
  // Links of the book that lead out of `src` are broken for both.
  const build = [process.execPath, bin, "build", "--static", "--allow-broken-links"];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const left of [".dune", "dist"])
      rmSync(join(root, left), { recursive: true, force: true });
    ours.push(measure(build, root).cost);
    for (const left of outputs) rmSync(join(project, left), { recursive: true, force: true });
    theirs.push(measure(command, project).cost);
    console.log(`  ${name}: ${JSON.stringify([ours.at(-1), theirs.at(-1)])}`);
  }
  const row = (program: string, costs: readonly Cost[]): string[] => {
    const cpu = median(costs.map((cost) => cost.cpu));
    const share = cpu / median(ours.map((cost) => cost.cpu));
    const wall = median(costs.map((cost) => cost.wall));
    return [name, String(pages), program, short(wall), short(cpu), `${short(share)}×`];
  };
  return [row("Sitewright", ours), row(peer, theirs)];
}

function book(folder: string): Comparison {
  const checkout = process.env["BENCH_BOOK"] ?? join(folder, "checkout");
  const isThere = existsSync(checkout);
  const git = ["clone", "--quiet", "--depth=1", BOOK, checkout];
  const { status } = isThere ? { status: 0 } : spawnSync("git", git, { timeout: 120_000 });
  const [root, project] = [join(folder, "site"), join(folder, "vitepress")];
  const packages = installPeer("vitepress", "vitepress@1", "vue@3");
  const missing = status === 0 ? packages.missing : `${BOOK} could not be cloned`;
  let pages = 0;
  if (missing === null) {
    pages = markdownIn(join(checkout, "src")).length;
    cpSync(join(checkout, "src"), join(root, "content"), { recursive: true });
    writeInto(root, "site.yaml", site("docs"));
    cpSync(join(checkout, "src"), join(project, "docs"), { recursive: true });
    for (const file of markdownIn(join(project, "docs"))) {
      const path = join(project, "docs", file);
      // Vite takes an address without a dot for a package.
      writeInto(
        project,
        join("docs", file),
        readFileSync(path, "utf8").replaceAll('src="img/', 'src="./img/'),
      );
    }
    linkPackages(packages.folder, project);
    const config = `export default { title: "Book", ignoreDeadLinks: true, themeConfig: { search: { provider: "local" } } };\n`;
    writeInto(project, "docs/.vitepress/config.mjs", config);
  }
  const peer = `VitePress ${versionOf(packages.folder, "vitepress")}`;
  return {
    name: "Rust book",
    pages,
    peer,
    missing,
    root,
    project,
    command: [process.execPath, "node_modules/vitepress/bin/vitepress.js", "build", "docs"],
    outputs: ["docs/.vitepress/dist", "docs/.vitepress/cache"],
  };
}

function docusaurus(folder: string): Comparison {
  const [root, project] = [join(folder, "site"), join(folder, "docusaurus")];
  const packages = installPeer(
    "docusaurus",
    "@docusaurus/core@3",
    "@docusaurus/preset-classic@3",
    "react@19",
    "react-dom@19",
    "@mdx-js/react@3",
  );
  if (packages.missing === null) {
    writeTree(root, DOCUSAURUS_PAGES);
    writeInto(root, "site.yaml", site("docs"));
    cpSync(join(root, "content"), join(project, "docs"), { recursive: true });
    linkPackages(packages.folder, project);
    const options = { docs: { routeBasePath: "/" }, blog: false };
    const config = {
      title: "Bench",
      url: "https://example.org",
      baseUrl: "/",
      onBrokenLinks: "warn",
      onBrokenAnchors: "ignore",
      presets: [["classic", options]],
    };
    writeInto(project, "docusaurus.config.mjs", `export default ${JSON.stringify(config)};\n`);
    // Its bundle for the server is a script.
    writeInto(project, "package.json", '{"private":true}');
  }
  const peer = `Docusaurus ${versionOf(packages.folder, "@docusaurus/core")}`;
  const { missing } = packages;
  return {
    name: "Documentation",
    pages: DOCUSAURUS_PAGES,
    peer,
    missing,
    root,
    project,
    command: [process.execPath, "node_modules/@docusaurus/core/bin/docusaurus.mjs", "build"],
    outputs: ["build", ".docusaurus", "node_modules/.cache"],
  };
}

function blog(folder: string): Comparison {
  const [root, project] = [join(folder, "site"), join(folder, "eleventy")];
  const packages = installPeer("eleventy", "@11ty/eleventy@3.0.0");
  if (packages.missing === null) {
    writeInto(root, "site.yaml", site("blog"));
    writeInto(root, "content/blog.md", "---\ntitle: Blog\n---\n");
    for (let at = 0; at < POSTS; at += 1) {
      writeInto(root, `content/blog/post-${at}.md`, post(at));
      writeInto(project, `content/blog/post-${at}.md`, post(at));
    }
    linkPackages(packages.folder, project);
    writeInto(project, "package.json", '{"private":true,"type":"module"}');
    const config = `export default () => ({ dir: { input: "content", includes: "../layouts", output: "_site" } });\n`;
    writeInto(project, "eleventy.config.js", config);
    writeInto(
      project,
      "content/content.11tydata.js",
      'export default { layout: "page.11ty.js" };\n',
    );
    const layout =
      'export default ({ title, content }) => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body><main><h1>${title}</h1>${content}</main></body></html>`;\n';
    writeInto(project, "layouts/page.11ty.js", layout);
  }
  const peer = `Eleventy ${versionOf(packages.folder, "@11ty/eleventy")}`;
  const { missing } = packages;
  return {
    name: "Blog",
    pages: POSTS,
    peer,
    missing,
    root,
    project,
    command: [process.execPath, "node_modules/@11ty/eleventy/cmd.cjs", "--quiet"],
    outputs: ["_site"],
  };
}

function post(at: number): string {
  const date = new Date(Date.UTC(2015, 0, 1 + at * 3)).toISOString().slice(0, 10);
  const text =
    "A paragraph of a post, with **strong** words, a [link](https://example.org/) and `code`. ";
  const parts = [1, 2, 3].map((part) => `## Part ${part}\n\n${text.repeat(5)}\n`);
  return `---\ntitle: Post ${at}\ndate: ${date}\n---\n\n${parts.join("\n")}`;
}

function site(preset: string): string {
  return `title: Bench\nurl: https://example.org\ntheme: { preset: ${preset} }\n`;
}

/** Copied, not linked, because generators resolve their files from the real path. */
function linkPackages(from: string, project: string): void {
  const target = join(project, "node_modules");
  cpSync(join(from, "node_modules"), target, { recursive: true });
}

function markdownIn(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return files.filter((file) => file.endsWith(".md"));
}

function versionOf(folder: string, name: string): string {
  const file = join(folder, "node_modules", name, "package.json");
  if (!existsSync(file)) return "";
  const { version } = JSON.parse(readFileSync(file, "utf8")) as { version: string };
  return version;
}

const COMPARISONS: Readonly<
  Record<string, { title: string; how: string; prepare(folder: string): Comparison }>
> = {
  book: {
    title: "The Rust book, beside VitePress",
    how: "`src` of rust-lang/book; VitePress has its local search on.",
    prepare: book,
  },
  blog: {
    title: "A blog, beside Eleventy",
    how: "Eleventy has a single layout, and neither lists, feeds nor search.",
    prepare: blog,
  },
  docusaurus: {
    title: "Documentation, beside Docusaurus",
    how: "Generated pages with code and links; Docusaurus has the preset `classic`, without search.",
    prepare: docusaurus,
  },
};

await runAsScript(import.meta.url, () => {
  const names = process.argv.slice(2);
  return names.length > 0 ? main(names) : main();
});
