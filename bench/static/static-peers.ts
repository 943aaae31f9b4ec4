import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { debianProgram, type Program } from "../../scripts/services/debian-program.js";
import { MissingServiceError } from "../../scripts/services/missing-service.js";
import { installPeer, writeInto } from "../support/programs.js";

/** Another generator, installed with the same Markdown. */
export interface Peer {
  name: string;
  /** Why it cannot be measured here, or null. */
  missing: string | null;
  /** Creates a project in `folder` from the content of a site. */
  prepare(content: string, folder: string): void;
  /** Deletes the output and caches of the last build. */
  clean(folder: string): void;
  /** Command and arguments, run in the folder. */
  command: readonly string[];
  /** Additional environment variables. */
  env?: Readonly<Record<string, string>>;
}

/** All peers, including those that cannot be installed. */
export async function staticPeers(): Promise<Peer[]> {
  return [eleventy(), astro(), await hugo()];
}

function eleventy(): Peer {
  const { folder, missing } = installPeer("eleventy", "@11ty/eleventy@3.0.0");
  return {
    name: "Eleventy 3.0.0",
    missing,
    prepare(content, project) {
      link(folder, project);
      cpSync(content, join(project, "content"), { recursive: true });
      writeInto(project, "package.json", '{"private":true,"type":"module"}');
      writeInto(
        project,
        "eleventy.config.js",
        `export default () => ({ dir: { input: "content", includes: "../layouts", output: "_site" } });`,
      );
      writeInto(
        project,
        "content/content.11tydata.js",
        `export default { layout: "page.11ty.js", permalink: ({ page }) => page.filePathStem.replace(/\\/\\d+\\.home\\/default$/, "").replace(/\\/\\d+\\./, "/").replace(/\\/default$/, "") + "/index.html" };`,
      );
      writeInto(project, "layouts/page.11ty.js", `export default ${LAYOUT}`);
    },
    clean: (project) => rmSync(join(project, "_site"), { recursive: true, force: true }),
    command: [process.execPath, "node_modules/@11ty/eleventy/cmd.cjs", "--quiet"],
  };
}

function astro(): Peer {
  const { folder, missing } = installPeer("astro", "astro@5.18");
  return {
    name: "Astro 5.18",
    missing,
    prepare(content, project) {
      link(folder, project);
      cpSync(content, join(project, "src/markdown"), { recursive: true });
      writeInto(project, "package.json", '{"private":true,"type":"module"}');
      writeInto(
        project,
        "astro.config.mjs",
        `export default { markdown: { syntaxHighlight: false }, telemetry: false };`,
      );
      writeInto(
        project,
        "src/content.config.ts",
        `import { defineCollection } from "astro:content";\nimport { glob } from "astro/loaders";\nexport const collections = { pages: defineCollection({ loader: glob({ pattern: "**/*.md", base: "./src/markdown" }) }) };\n`,
      );
      writeInto(
        project,
        "src/pages/[...slug].astro",
        `---\nimport { getCollection, render } from "astro:content";\nexport async function getStaticPaths() {\n  return (await getCollection("pages")).map((entry) => ({ params: { slug: entry.id.replace(/\\/?default$/, "").replace(/^\\d+\\.?(home)?/, "").replace(/^-/, "") || undefined }, props: { entry } }));\n}\nconst { entry } = Astro.props;\nconst { Content } = await render(entry);\n---\n<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{entry.data.title}</title><meta name="description" content={entry.data.metadata?.description ?? ""}></head><body><header><a href="/">Bench</a></header><main><article><h1>{entry.data.title}</h1><Content /></article></main><footer>Bench</footer></body></html>\n`,
      );
    },
    clean(project) {
      for (const left of ["dist", ".astro", "node_modules/.astro", "node_modules/.vite"]) {
        rmSync(join(project, left), { recursive: true, force: true });
      }
    },
    command: [process.execPath, "node_modules/astro/astro.js", "build", "--silent"],
  };
}

/** The Debian package, because npm packages download the binary from elsewhere. */
async function hugo(): Promise<Peer> {
  const page =
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{{ .Title }}</title></head><body><header><a href="/">Bench</a></header><main><article><h1>{{ .Title }}</h1>{{ .Content }}</article></main><footer>Bench</footer></body></html>';
  const program = await findHugo();
  return {
    name: `Hugo ${program.version}`.trim(),
    missing: program.missing,
    prepare(content, project) {
      cpSync(content, join(project, "content"), { recursive: true });
      writeInto(project, "hugo.toml", 'title = "Bench"\nbaseURL = "https://example.org/"\n');
      writeInto(project, "layouts/_default/single.html", page);
      writeInto(project, "layouts/_default/list.html", page);
    },
    clean: (project) => rmSync(join(project, "public"), { recursive: true, force: true }),
    command: [program.path, "--quiet"],
    env: program.env,
  };
}

async function findHugo(): Promise<Program & { version: string; missing: string | null }> {
  try {
    const program = await debianProgram({ binary: "hugo", packages: ["hugo"] });
    const env = { ...process.env, ...program.env };
    const { stdout } = spawnSync(program.path, ["version"], { encoding: "utf8", env });
    return { ...program, version: /v([\d.]+)/.exec(stdout)?.[1] ?? "", missing: null };
  } catch (error) {
    if (!(error instanceof MissingServiceError)) throw error;
    return { path: "", env: {}, version: "", missing: error.message };
  }
}

function link(from: string, project: string): void {
  mkdirSync(project, { recursive: true });
  // Copied, not linked, because generators resolve their files from the real path.
  cpSync(join(from, "node_modules"), join(project, "node_modules"), { recursive: true });
}

const LAYOUT =
  'function (data) { const title = data.title ?? ""; const text = data.metadata?.description ?? ""; return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title><meta name="description" content="${text}"></head><body><header><a href="/">Bench</a></header><main><article><h1>${title}</h1>${data.content}</article></main><footer>Bench</footer></body></html>`; }\n';
