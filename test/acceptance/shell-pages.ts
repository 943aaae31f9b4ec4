/** Which shell blocks of the documentation run, in which site, and why some cannot. */
import { wxr, wxrItem } from "../support/content/wxr.js";
import { filesOf } from "../support/repository.js";
import { blocksOf, codeOfFile, isShell, type Block } from "./documentation.js";

/** Why blocks with `npm create` are not run here. */
const CREATE = "a package of a registry; create.acceptance.ts runs the packed one";

/** Blocks that are not run, by page and first command, with the reason. A page alone means all its blocks. */
export const SKIPPED: readonly (readonly [page: string, command: string, reason: string])[] = [
  ["README.md", "npm ci && npm start", "a clone, which .ci/run tests"],
  ["README.md", "npm create", CREATE],
  ["content/01.home/landing.md", "npm create", CREATE],
  ["content/02.start/01.install", "npm create", CREATE],
  ["content/02.start/03.new-site", "npm create", CREATE],
  ["content/01.home/landing.md", "npm ci", "a clone, which .ci/run tests"],
  ["content/02.start/01.install", "npm ci", "a clone, which .ci/run tests"],
  ["content/02.start/01.install", "npm start", "a clone, which .ci/run tests"],
  ["content/02.start/01.install", "npm test", "a clone, which .ci/run tests"],
  ["content/02.start/01.install", "npm install", "an installation of the tarball: this whole run"],
  ["content/02.start/01.install", "npm exec", CREATE],
  [
    "content/03.write/02.markdown",
    "npm install",
    "an example of tabs; the package is in no registry yet",
  ],
  [
    "content/03.write/02.markdown",
    "yarn add",
    "an example of tabs; the package is in no registry yet",
  ],
  ["content/05.operate/16.command-line", "site ", "synopses: compared with site --help below"],
  ["content/04.build/12.webhooks", "site webhooks:list", "a receiver on another host"],
  ["content/04.build/12.webhooks", "site webhooks:replay", "a receiver on another host"],
  ["content/04.build/12.webhooks", "curl -X POST https://example.org", "another host"],
  ["content/05.operate/17.admin", "site users:set-password", "a person types a password"],
  ["content/05.operate/17.admin", "curl -i -H", "the reader copies an ETag into it"],
  ["content/05.operate/17.admin/01.editing", "curl -X POST", "the reader copies ETags into it"],
  ["content/03.write/13.moments", "curl -H", "the reader copies the id of a commit into it"],
  ["content/05.operate/11.cdn", "", "a CDN"],
  ["content/05.operate/09.telemetry", "", "packages of a registry"],
  ["content/05.operate/07.year", "", "systemd, root and a backup disk"],
  ["content/05.operate/01.deployment", "", "systemd, nginx and Docker"],
  [
    "content/05.operate/12.several-machines",
    "",
    "a shared disk, Redis and PostgreSQL of other machines",
  ],
  ["content/05.operate/14.git-sync", "", "a remote repository"],
  ["content/05.operate/13.several-containers", "", "Docker"],
  ["content/05.operate/04.backup", "commit=", "commits of yesterday"],
  ["content/05.operate/04.backup", "git restore", "commits of yesterday"],
  [
    "content/04.build/13.programs",
    "curl http://localhost:8000/api/changes",
    "the reader copies a cursor into it",
  ],
  ["content/05.operate/05.upgrades", "", "systemd, and a newer version in a registry"],
  [
    "content/04.build/14.agents",
    "npx @modelcontextprotocol",
    "a package of a registry, and another host",
  ],
  ["content/06.extend/04.routes", "npm install", "packages of a registry"],
  ["content/06.extend/07.themes", "site theme:add npm:", "packages of a registry"],
  ["content/06.extend/10.packages", "", "packages of a registry"],
];

/** What a page takes for granted, and its blocks find in their folder. */
export interface Preparation {
  files?: Readonly<Record<string, string>>;
  /** Commands before the first block. */
  before?: string;
  /** The folder of the site that a reader has: the files that blocks show are written into it, in order. */
  site?: string;
}

const NOTES = { "notes/site.yaml": "title: My notes\n", "notes/content/index.md": "# Hello\n" };

/** Pages whose blocks build or name sites of their own. */
export const OWN_SITES: Readonly<Record<string, Preparation>> = {
  "README.md": {},
  "content/01.home/landing.md": { files: NOTES, before: "serve site serve --root notes" },
  "content/02.start/01.install/docs.md": {},
  "content/02.start/02.tour/docs.md": {},
  "content/02.start/03.new-site/docs.md": {},
  "content/02.start/04.your-folder/docs.md": {
    files: {
      "my-project/site.yaml": codeOfFile("content/02.start/04.your-folder/docs.md", "site.yaml"),
      "my-project/system.yaml": codeOfFile(
        "content/02.start/04.your-folder/docs.md",
        "system.yaml",
      ),
      "my-project/docs/README.md": "# My project\n",
      "my-project/docs/guide/setup.md": "# Setup\n",
    },
  },
  "content/05.operate/08.operation/docs.md": {
    files: {
      "site.yaml": "title: My notes\nhealth_token: $HEALTH_TOKEN\n",
      "content/index.md": "# Hello\n",
    },
    before: "ln -s . notes; export HEALTH_TOKEN=0123456789abcdef; serve site serve",
  },
  "content/05.operate/16.command-line/docs.md": { before: "site new my-site" },
  // Any site does, and that of the documentation takes long.
  "content/04.build/15.static-export/docs.md": { before: "site new ." },
  "content/05.operate/04.backup/docs.md": {},
  "content/05.operate/06.doctor/docs.md": { files: NOTES },
  "content/03.write/16.moving-in/docs.md": {
    files: {
      "export.xml": wxr(wxrItem({ id: 1, title: "Boats", content: "<p>Two boats.</p>" })),
      "hugo.toml": 'baseURL = "https://old.example/"\n',
      "content/posts/sea.md": "---\ntitle: The sea\n---\nWaves.\n",
      "site.yaml": "title: The old site\n",
      "boats.csv": "id,name\ngull,Gull\n",
      "my-site/flex-objects/boat.yaml": "title: Boats\nfields:\n  name: { type: text }\n",
    },
    before: 'ln -sfn "$PWD" ../old-site',
  },
  "content/06.extend/01.plugin/docs.md": { site: "my-site" },
  "content/06.extend/04.routes/docs.md": { before: "site new my-site", site: "my-site" },
  "content/06.extend/05.search-engine/docs.md": { before: "site new my-site", site: "my-site" },
  "content/06.extend/07.themes/docs.md": {
    files: {
      "site.yaml": "title: My notes\n",
      "content/index.md": "# Hello\n",
      "sepia/package.json": '{ "name": "sepia", "version": "1.0.0" }\n',
      "sepia/theme.yaml": "name: sepia\nparent: default\n",
    },
  },
  "content/06.extend/10.testing/docs.md": {
    files: { "words.ts": codeOfFile("content/06.extend/01.plugin/docs.md", "plugins/words.ts") },
    before: "site new my-site; mkdir -p my-site/plugins; mv words.ts my-site/plugins",
    site: "my-site",
  },
  "content/06.extend/12.codegen/docs.md": { before: "site new my-site", site: "my-site" },
  "content/08.blog/a-blog-in-a-minute/post.md": {},
};

const page = (name: string): string => `content/${name}/docs.md`;

/** Pages whose blocks ask a site with what they describe; all others ask the site of the documentation. */
export const READER_PAGES = [
  "04.build/04.flex",
  "04.build/03.page-types",
  "03.write/05.languages",
  "04.build/09.gating",
  "03.write/14.content-tools",
  "03.write/08.feeds",
  "05.operate/17.admin",
  "05.operate/17.admin/01.editing",
  "05.operate/03.panel-accounts",
  "03.write/06.forms",
  "03.write/07.comments",
].map(page);

/** The site of a reader who did what `READER_PAGES` say. */
export function readerSite(): Record<string, string> {
  const flex = page("04.build/04.flex");
  const forms = page("03.write/06.forms");
  return {
    "site.yaml": `title: A reader's site\nurl: http://localhost:8000\nemail: { provider: console, from: site@example.org }\nauth: { providers: { magicLink: { enabled: true } } }\n${codeOfFile(
      page("03.write/07.comments"),
      "site.yaml",
    )}`,
    "system.yaml": codeOfFile(page("03.write/05.languages"), "system.yaml"),
    "flex-objects/product.yaml": codeOfFile(flex, "flex-objects/product.yaml"),
    "flex-objects/product/lamp.yaml": codeOfFile(flex, "flex-objects/product/lamp.yaml"),
    "forms/contact.yaml": codeOfFile(forms, "forms/contact.yaml"),
    ...Object.fromEntries(
      ["author", "product", "products", "post", "blocks/quote"].map((name) => [
        `blueprints/${name}.yaml`,
        codeOfFile(page("04.build/03.page-types"), `blueprints/${name}.yaml`),
      ]),
    ),
    "content/01.home/landing.md": "---\ntitle: Home\n---\nWelcome.\n",
    "content/02.about/default.md": "# About\n\nText.\n",
    "content/02.about/default.de.md": "# Über uns\n\nText.\n",
    "content/02.blog/blog.md": "---\ntitle: Blog\n---\n",
    "content/02.blog/blog.de.md": "---\ntitle: Blog\n---\n",
    "content/02.blog/harbour/post.md": "---\ntitle: Harbour\ndate: 2026-11-02\n---\nText.\n",
    "content/02.blog/next/post.md": "---\ntitle: Next\nstatus: draft\n---\nText.\n",
    "content/02.blog/tea/post.md": `---\ntitle: Tea\ndate: 2026-11-03\ncomments: true\ntaxonomy: { tag: [design] }\n---\nText.\n`,
    "content/02.blog/tea/post.de.md": `---\ntitle: Tee\ndate: 2026-11-03\ntaxonomy: { tag: [design] }\n---\nText.\n`,
    "content/03.contact/default.md": codeOfFile(forms, "content/03.contact/default.md"),
    "content/thanks/default.md": codeOfFile(forms, "content/thanks/default.md"),
    "content/04.members/default.md": "---\ntitle: For members\nroles: member\n---\n",
    "content/05.news/blog.md": "---\ntitle: News\n---\n",
  };
}

/** The first command of a block. */
export const firstCommand = ({ text }: Block): string =>
  text.split("\n").find((line) => line !== "" && !line.startsWith("#")) ?? "";

/** README.md and the pages of content/. */
export const pages = filesOf("README.md", "content/**/*.md");

/** All their shell blocks. */
export const shellBlocks: readonly Block[] = pages.flatMap((name) =>
  blocksOf(name).filter(isShell),
);

/** Those of a page that run, and the files that a page with a site shows, in order. */
export function runnableOf(name: string): Block[] {
  const isWritten = OWN_SITES[name]?.site !== undefined;
  return blocksOf(name).filter((block) =>
    isShell(block) ? !isSkipped(block) : isWritten && block.title !== "",
  );
}

function isSkipped(block: Block): boolean {
  return SKIPPED.some(
    ([name, command]) => block.page.startsWith(name) && firstCommand(block).startsWith(command),
  );
}
