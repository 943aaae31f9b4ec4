import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { definePlugin } from "#kernel";
import { packageRoot } from "#lib/packages";
import { markupErrors } from "../../../scripts/testing/markup-errors.js";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";
import { modulesBelow } from "../../support/content/module-pages.js";
import { useChromium } from "../../support/services.js";
import { withPage } from "../../support/browsers/with-page.js";
import { viewsOf } from "../../support/browsers/views.js";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const picture = readFileSync(
  join(packageRoot(), "plugins/render/scaffold/content/01.home/horizon.png"),
);

const prose = [
  "Some text with a [link](/about), `code` and **weight**.",
  "## A section\n\n> Quoted.\n\n1. One\n2. Two\n   - Nested",
  "```ts\nexport const answer: number = 42; // the answer, on a line that is longer than any narrow screen is wide\n```",
  "### Deeper\n\n| Key | What it does, at some length | And more | And more again |\n| --- | --- | --- | --- |\n| `title` | The title | x | y |",
  "- [ ] To do\n- [x] Done\n  - [ ] And below",
  "## Another section\n\nA note[^1].\n\n![A horizon](horizon.png)\n\n[^1]: The note.",
].join("\n\n");
const post = (title: string, date: string, image = ""): string =>
  `---\ntitle: ${title}\ndate: ${date}\nsummary: What it is about.\n${image}taxonomy: { category: [notes], tag: [one, two] }\n---\n\n${prose}\n`;

const files = {
  "site.yaml": "title: A site\ndescription: What it is.\n",
  "system.yaml": "languages: { supported: [en, ar, de], default: en }\n",
  "content/01.home/landing.md":
    "---\ntitle: Home\nhero: { title: Hello, text: Some words., image: horizon.png, actions: [{ label: Read, url: /blog }, { label: About, url: /about }] }\nfeatures: [{ title: One, text: First. }, { title: Two, text: Second. }]\ncollection: { items: { '@page.children': /blog }, limit: 3 }\n---\n",
  "content/01.home/horizon.png": picture,
  "content/02.docs/docs.md": `---\ntitle: Documentation\n---\n${prose}`,
  "content/02.docs/01.start/docs.md": `---\ntitle: Getting started\n---\n${prose}`,
  "content/02.docs/01.start/horizon.png": picture,
  "content/02.docs/02.more/docs.md": `---\ntitle: More\n---\n${prose}`,
  "content/03.blog/blog.md": "---\ntitle: Blog\n---\nNews.",
  "content/03.blog/one/post.md": post("One", "2026-01-01", "image: horizon.png\n"),
  "content/03.blog/one/horizon.png": picture,
  "content/03.blog/two/post.md": post("Two", "2026-02-01"),
  "content/04.work/item.md": `---\ntitle: A piece of work\nimage: horizon.png\ntaxonomy: { tag: [one] }\n---\n${prose}`,
  "content/04.work/horizon.png": picture,
  "content/05.about/default.md": `---\ntitle: About\n---\n${prose}`,
  "content/06.modular/default.md": "---\ntitle: Modular\n---\n",
  ...modulesBelow("content/06.modular", picture),
  "content/02.docs/03.modular/docs.md": `---\ntitle: Modular docs\n---\n${prose}`,
  ...modulesBelow("content/02.docs/03.modular", picture),
  "content/02.docs/03.modular/horizon.png": picture,
  "content/04.work/item.ar.md": "---\ntitle: عمل\n---\nمرحبا\n",
  "content/04.work/item.de.md": "---\ntitle: Ein Werk\n---\nGuten Tag.\n",
  "content/05.about/default.ar.md": "---\ntitle: عنا\n---\n## قسم\n\nمرحبا\n",
};

/** The templates that other plugins fill. */
const others = definePlugin({
  name: "others",
  version: "1.0.0",
  after: ["render"],
  setup(site) {
    const page = (path: string, template: string, props: Record<string, unknown>) =>
      site.http.route({
        method: "get",
        path,
        summary: template,
        hidden: true,
        handler: async (req, res) => {
          const answer = await site
            .use("render")
            .renderTemplate(req, template, props, { title: template });
          site.http.send(req, res, answer ?? assert.fail(`no template ${template}`));
        },
      });
    page("/t/search", "search", {
      searchQuery: "word",
      searchResults: [
        {
          route: "/about",
          title: "About",
          date: "2026-01-01",
          excerpt: "A <mark>word</mark> &amp; <script>more</script>",
        },
        { route: "/blog", title: "Blog", excerpt: "" },
      ],
      searchFacetCounts: { template: { post: 3 }, "taxonomy.tag": { one: 1 } },
      searchSort: "relevance",
      searchType: "",
      searchHasMore: true,
      searchOffset: 20,
      searchLimit: 20,
      searchTotal: 60,
    });
    page("/t/login", "auth/login", {
      providers: [{ name: "github", label: "GitHub", url: "/auth/github" }],
      magicLink: { enabled: true, action: "/auth/magic/send" },
      passkeys: { script: "/auth/passkeys/x.js" },
      next: "/members",
      keepsCookie: false,
      error: "denied",
      message: "sent",
    });
    const fields = [
      { name: "name", type: "text", label: "Name" },
      { name: "active", type: "toggle", label: "Active" },
      { name: "bio", type: "markdown", label: "About" },
    ];
    const schema = { title: "Team", description: "Who.", fields };
    const record = { _id: "a1b2c3d4e5f6", name: "Ada", active: true };
    page("/t/flex", "flex/list", {
      type: "team",
      schema,
      records: [record],
      pageNumber: 1,
      pages: 2,
      prevUrl: null,
      nextUrl: "/t/flex?page=2",
    });
    page("/t/flex/one", "flex/detail", {
      type: "team",
      schema,
      record,
      recordHtml: { bio: "<p>Words.</p>" },
    });
    page("/t/403", "errors/403", { status: 403, statusCode: 403, title: "", message: "" });
  },
});

const paths = [
  "/",
  "/docs/start",
  "/docs/modular",
  "/modular",
  "/blog",
  "/blog/one",
  "/work",
  "/about",
  "/ar/about",
  "/missing",
  "/t/search",
  "/t/login",
  "/t/flex",
  "/t/flex/one",
  "/t/403",
];

describe("the packaged theme in a browser", function () {
  this.timeout(120_000);
  let browser: Browser;
  let site: TestSite;

  before(async function () {
    browser = await useChromium(this);
    site = await bootSite({ files, extraPlugins: [others], env: { SITE_ENV: "production" } });
  });
  after(() => site?.close());

  const open = (options: BrowserContextOptions, work: (page: Page) => Promise<void>) =>
    withPage(browser, options, work);
  const violations = (page: Page): Promise<string[]> =>
    page.evaluate(
      `axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ": " + html)))`,
    );

  for (const { colorScheme, width } of viewsOf([1280, 360])) {
    it(`has no axe violation, ${colorScheme} and ${width} pixels wide, and nothing sticks out`, async () => {
      await open(
        { colorScheme, viewport: { width, height: 800 }, bypassCSP: true },
        async (page) => {
          for (const path of paths) {
            await page.goto(site.url + path);
            await page.evaluate(axe);
            assert.deepEqual(await violations(page), [], path);
            const excess: number = await page.evaluate(
              "document.documentElement.scrollWidth - innerWidth",
            );
            assert.ok(excess <= 0, `${path} is ${excess} pixels too wide`);
          }
        },
      );
    });
  }

  it("has valid markup", async () => {
    for (const path of paths) assert.deepEqual(await markupErrors(site.url + path), [], path);
  });

  it("moves nothing for readers who ask for reduced motion", async () => {
    const moving = `[...document.querySelectorAll("*")].filter((element) => {
      const { transitionDuration, animationName, scrollBehavior } = getComputedStyle(element);
      const seconds = transitionDuration.split(",").map(parseFloat);
      return seconds.some((one) => one > 0.05) || animationName !== "none" || scrollBehavior === "smooth";
    }).length`;
    await open({ reducedMotion: "reduce" }, async (page) => {
      for (const path of ["/", "/blog/one", "/docs/start"]) {
        await page.goto(site.url + path);
        assert.equal(await page.evaluate(moving), 0, path);
      }
    });
  });

  it("requests nothing from other hosts, and its own policy blocks nothing", async () => {
    await open({}, async (page) => {
      const foreign: string[] = [];
      const errors: string[] = [];
      page.on("request", (request) => {
        if (!request.url().startsWith(site.url)) foreign.push(request.url());
      });
      page.on("console", (message) => {
        if (message.type() === "error" && !/404/.test(message.text())) errors.push(message.text());
      });
      page.on("pageerror", (error) => errors.push(error.message));
      for (const path of paths) await page.goto(site.url + path);
      assert.deepEqual({ foreign, errors }, { foreign: [], errors: [] });
    });
  });

  it("opens the menu of a narrow screen without scripts, and shows no button that needs them", async () => {
    await open(
      { javaScriptEnabled: false, viewport: { width: 360, height: 800 } },
      async (page) => {
        await page.goto(`${site.url}/about`);
        assert.equal(await page.locator("[data-theme-toggle]").isVisible(), false);
        const link = page.locator(".nav-narrow a[href='/blog']");
        assert.equal(await link.isVisible(), false);
        await page.locator(".nav-narrow summary").click();
        await link.click();
        assert.equal(new URL(page.url()).pathname, "/blog");
      },
    );
  });

  it("lets the keyboard scroll what is too wide, and pass by what fits", async () => {
    const boxes = "[...document.querySelectorAll('.prose [role=group]')]";
    const isReachable =
      "(box) => box.scrollWidth > box.clientWidth === box.hasAttribute('tabindex')";
    for (const width of [360, 1280]) {
      await open({ viewport: { width, height: 800 } }, async (page) => {
        await page.goto(`${site.url}/about`);
        await page.waitForFunction(`${boxes}.every(${isReachable})`);
        assert.equal(await page.evaluate(`${boxes}.length`), 2);
      });
    }
    await open({ javaScriptEnabled: false }, async (page) => {
      await page.goto(`${site.url}/about`);
      assert.equal(await page.locator(".prose [role=group][tabindex='0']").count(), 2);
    });
  });

  it("switches colours and remembers it", async () => {
    await open({ colorScheme: "light" }, async (page) => {
      const paper = (): Promise<string> =>
        page.evaluate("getComputedStyle(document.body).backgroundColor");
      await page.goto(site.url);
      const light = await paper();
      await page.locator("[data-theme-toggle]").click();
      assert.equal(await page.locator("[data-theme-toggle]").getAttribute("aria-pressed"), "true");
      const dark = await paper();
      assert.notEqual(dark, light);
      await page.goto(`${site.url}/about`);
      assert.equal(await paper(), dark);
    });
  });

  it("lets the keyboard skip to the content and find its way back out of the menu", async () => {
    await open({ viewport: { width: 360, height: 800 } }, async (page) => {
      await page.goto(`${site.url}/about`);
      await page.keyboard.press("Tab");
      assert.equal(await page.evaluate("document.activeElement.className"), "skip");
      await page.keyboard.press("Enter");
      assert.equal(await page.evaluate("document.activeElement.id"), ":content");
      await page.locator(".nav-narrow summary").focus();
      await page.keyboard.press("Enter");
      await page.keyboard.press("Tab");
      await page.keyboard.press("Escape");
      assert.equal(await page.locator(".nav-narrow").getAttribute("open"), null);
      assert.equal(await page.evaluate("document.activeElement.tagName"), "SUMMARY");
    });
  });

  it("shows what an excerpt or a title quotes as text", async () => {
    await open({}, async (page) => {
      await page.goto(`${site.url}/t/search`);
      assert.equal(await page.locator(".results script").count(), 0);
      assert.equal(await page.locator(".results mark").innerText(), "word");
    });
  });
});
