import assert from "node:assert/strict";
import { createServer } from "node:net";
import { once } from "node:events";
import { join } from "node:path";
import { killProcess } from "../support/processes/site-process.js";
import { filesOf, repository } from "../support/repository.js";
import { blocksOf, type Block } from "./documentation.js";
import { copyInto, home, runSite, serveSite } from "./home.js";
import { runBlocks } from "./shell-blocks.js";

/** Blocks that are not run, by page and first command, with the reason. A page alone means all its blocks. */
const SKIPPED: readonly (readonly [page: string, command: string, reason: string])[] = [
  ["README.md", "npm ci && npm start", "a clone, which .ci/run tests"],
  ["content/01.home/landing.md", "npm ci", "a clone, which .ci/run tests"],
  ["content/01.home/landing.md", "curl 'http://localhost:8000", "the clone of the block before"],
  ["content/02.start/01.install", "npm", "a clone, which .ci/run tests"],
  ["content/03.features/01.markdown", "npm", "an example of Markdown, not a task"],
  ["content/03.features/01.markdown", "yarn", "an example of Markdown, not a task"],
  ["content/03.features/03.flex", "", "records of a shop that the page only describes"],
  ["content/03.features/05.collections", "", "pages that a reader has"],
  ["content/03.features/07.languages", "", "a site with translations"],
  ["content/03.features/08.gating", "", "a page for members"],
  ["content/03.features/11.caching", "curl -s -H", "a token of an account"],
  ["content/03.features/13.operation", "", "a running server with secrets"],
  ["content/03.features/15.command-line", "site ", "synopses: compared with site --help below"],
  ["content/03.features/16.webhooks", "", "a receiver on another host"],
  ["content/03.features/18.feeds", "", "terms and languages of a reader's site"],
  ["content/03.features/19.admin", "", "a token of an account"],
  ["content/03.features/19.moments", "", "a token of an account"],
  ["content/03.features/19.panel-accounts", "", "a token of an account"],
  ["content/03.features/20.forms", "", "a form that the page defines"],
  ["content/03.features/21.comments", "", "comments must be enabled"],
  ["content/03.features/22.cdn", "", "a CDN"],
  ["content/03.features/23.telemetry", "", "packages of the registry"],
  ["content/03.features/23.year", "", "systemd, root and a backup disk"],
  ["content/03.features/24.deployment", "", "systemd, nginx and Docker"],
  ["content/03.features/26.several-machines", "", "a shared disk, Redis and PostgreSQL"],
  ["content/03.features/27.git-sync", "", "a remote repository"],
  ["content/03.features/27.several-containers", "", "Docker"],
  [
    "content/03.features/28.backup",
    "npx sitewright restore notes.tar.gz --root notes",
    "an archive of earlier",
  ],
  ["content/03.features/28.backup", "cd notes", "commits of yesterday"],
  ["content/03.features/28.backup", "commit=", "commits of yesterday"],
  ["content/03.features/28.backup", "git restore", "commits of yesterday"],
  [
    "content/03.features/28.programs",
    "curl http://localhost:8000/api/changes",
    "waits for a change",
  ],
  ["content/03.features/28.upgrades", "", "systemd and a newer version in the registry"],
  ["content/03.features/29.agents", "", "a token of an account, and a package of the registry"],
  ["content/03.features/30.moving-in", "", "an export of another system"],
  ["content/03.features/03.page-types", "site schema:export", "page types of a shop"],
  [
    "content/03.features/17.content-tools",
    "site content:list",
    "changes pages: run in its own tests",
  ],
  ["content/03.features/24.openapi", "", "jq"],
  ["content/04.extend/01.plugin", "", "the code is run in extend.acceptance.ts"],
  ["content/04.extend/10.packages", "", "packages of the registry"],
  ["content/07.blog/a-blog-in-a-minute", "", "a part of the starter site"],
];

/** Pages whose blocks build sites of their own; all others ask the site of the documentation. */
const OWN_SITES = [
  "README.md",
  "content/01.home/landing.md",
  "content/02.start/02.tour/docs.md",
  "content/02.start/03.new-site/docs.md",
  "content/02.start/01.install/docs.md",
  "content/03.features/28.backup/docs.md",
];

const SHELL = ["sh", "bash", "console", "shell"];
const first = ({ text }: Block): string =>
  text.split("\n").find((line) => line !== "" && !line.startsWith("#")) ?? "";
const reasonOf = (block: Block): string | undefined =>
  SKIPPED.find(
    ([page, command]) => block.page.startsWith(page) && first(block).startsWith(command),
  )?.[2];

const pages = filesOf("README.md", "content/**/*.md");
const blocks = pages.flatMap((page) =>
  blocksOf(page).filter(({ language }) => SHELL.includes(language)),
);
const runnable = blocks.filter((block) => reasonOf(block) === undefined);

/** `limit=lots` and the like are the subject of their blocks. */
const isMistake = ({ text }: Block): boolean => /limit=(?:lots|0)\b/.test(text);

describe("the shell blocks of README.md and content/", function () {
  this.timeout(150_000);

  for (const page of OWN_SITES) {
    it(`${page}: runs from the top to the end`, async () => {
      const own = runnable.filter((block) => block.page === page);
      const folder = join(home, "blocks", page.replaceAll("/", "-"));
      // The tabs of this page are alternatives.
      if (!page.includes("03.new-site")) return check(own, folder);
      for (const block of own) await check([block], join(folder, String(block.line)));
    });
  }

  describe("about the site of the documentation", () => {
    let root: string;
    let server: Awaited<ReturnType<typeof serveSite>>;
    before(async () => {
      root = join(home, "documentation");
      for (const part of ["content", "blueprints", "search"])
        await copyInto(root, part, join(repository, part));
      for (const file of ["site.yaml", "system.yaml", "admin.yaml"])
        await copyInto(root, file, join(repository, file));
      server = await serveSite(root);
    });
    after(() => killProcess(server));

    for (const page of pages.filter((name) => !OWN_SITES.includes(name))) {
      const own = runnable.filter((block) => block.page === page);
      if (own.length === 0) continue;
      it(`${page}: runs`, () => check(own, root, Number(new URL(server.url).port)));
    }
  });

  it("are skipped for a reason that still applies", () => {
    const unused = SKIPPED.filter(
      ([page, command]) =>
        !blocks.some((block) => block.page.startsWith(page) && first(block).startsWith(command)),
    );
    assert.deepEqual(unused, []);
  });

  it("show every command as site --help lists it", async () => {
    const { text } = await runSite("--help");
    const shown = blocks.filter(({ page }) => page.startsWith("content/03.features/15."));
    const names = shown.flatMap((block) => /^site ([\w:]+)/.exec(block.text)?.[1] ?? []);
    assert.ok(names.length > 50);
    assert.deepEqual(
      names.filter((name) => !new RegExp(`^\\s+${name}\\b`, "m").test(text)),
      [],
    );
  });
});

async function check(own: readonly Block[], folder: string, port?: number): Promise<void> {
  const runs = await runBlocks(own, { folder, port: port ?? (await freePort()) });
  for (const [index, block] of own.entries()) {
    const run = runs[index];
    const place = `${block.page}:${block.line}\n${block.text}\n${run?.output}`;
    const expected = /tilte/.test(block.text) ? 1 : 0;
    assert.equal(run?.code, expected, place);
    const wrong = run.statuses.filter(
      (status) => status >= 400 && !(status === 400 && isMistake(block)),
    );
    assert.deepEqual(wrong, [], place);
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}
