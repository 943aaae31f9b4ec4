import assert from "node:assert/strict";
import { definePlugin } from "#kernel";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";

const layout =
  "export default (props) => <html><head><title>{props.pageTitle}</title></head><body>{props.children}</body></html>;\n";
const template = (text: string): string =>
  `export default ({ Layout, ...props }) => <Layout {...props}><p>${text} {props.themeConfig.tone}</p></Layout>;\n`;
const files = {
  "site.yaml": "title: Test\ntheme: { name: one, custom: { tone: loud } }\n",
  "content/01.home/default.md": "# Hi",
  "themes/one/theme.yaml": "parent: two\nconfig_schema: { tone: { default: quiet } }\n",
  "themes/one/components/layout.tsx": layout,
  "themes/one/templates/default.tsx": template("one"),
  "themes/two/templates/default.tsx": template("two"),
  "themes/two/templates/extra.tsx": template("extra"),
};

describe("the service render", () => {
  let site: TestSite;
  afterEach(() => site.close());

  /** A route that responds with a template. */
  const asking = (name: string, options: object = {}) =>
    definePlugin({
      name: "asking",
      version: "1.0.0",
      after: ["render"],
      setup: (context) =>
        context.http.route({
          method: "get",
          path: "/ask",
          summary: "renders a template",
          handler: async (req, res) => {
            const answer = await context
              .use("render")
              .renderTemplate(req, name, { told: "x" }, options);
            context.http.send(req, res, answer ?? { type: "text/plain", body: "none" });
          },
        }),
    });

  it("returns the template names of the chain, sorted", async () => {
    site = await bootSite({ files });
    const render = site.site.use("render");
    assert.equal(render.theme, "one");
    assert.deepEqual(
      render.themes.map(({ name }) => name),
      ["one", "two"],
    );
    assert.deepEqual(render.templates(), ["default", "extra"]);
    assert.equal(render.has("../default"), false);
  });

  it("passes the theme's settings to templates, the site's own over the defaults", async () => {
    site = await bootSite({ files });
    assert.match(await (await site.fetch("/")).text(), /one loud/);
  });

  it("warns about settings that no theme of the chain has, with the nearest one", async () => {
    const text = "title: Test\ntheme:\n  name: one\n  custom: { tone: loud, tine: 1, other: 2 }\n";
    site = await bootSite({ files: { ...files, "site.yaml": text } });
    const problems = site.site.use("content").problems();
    assert.deepEqual(
      problems
        .filter(({ code }) => code === "ERR_THEME_SETTING")
        .map(({ sourcePath, line, severity, key, value, message, fix }) => {
          return [`${sourcePath}:${line}`, severity, key, value, message, fix].join("  ");
        }),
      [
        'site.yaml:4  warning  theme.custom.tine  1  the theme one has no setting "tine"  did you mean tone?',
        'site.yaml:4  warning  theme.custom.other  2  the theme one has no setting "other"  its settings are tone',
      ],
    );
  });

  it("renders any template of the chain in the nearest layout", async () => {
    site = await bootSite({
      files,
      extraPlugins: [asking("extra", { title: "Asked", status: 201 })],
    });
    const response = await site.fetch("/ask");
    assert.equal(response.status, 201);
    assert.match(await response.text(), /<title>Asked \| Test<\/title>[\s\S]*extra loud/);
  });

  it("returns null for a template that no theme has", async () => {
    site = await bootSite({ files, extraPlugins: [asking("search")] });
    assert.equal(await (await site.fetch("/ask")).text(), "none");
  });

  it("uses a new nonce for each response", async () => {
    const nonced =
      "export default ({ nonce }) => <html><head><script nonce={nonce()}>1</script></head></html>;\n";
    site = await bootSite({
      files: { ...files, "themes/one/templates/default.tsx": nonced },
      env: { SITE_ENV: "production" },
    });
    const nonces = new Set<string>();
    for (let n = 0; n < 3; n++) {
      const response = await site.fetch("/");
      const nonce = /nonce="([^"]+)"/.exec(await response.text())?.[1] ?? assert.fail("no nonce");
      assert.ok(response.headers.get("content-security-policy")?.includes(`'nonce-${nonce}'`));
      nonces.add(nonce);
    }
    assert.equal(nonces.size, 3);
  });

  it("responds with the same page for any query string", async () => {
    const echo =
      "export default ({ search }) => <html><head></head><body>[{search}]</body></html>;\n";
    site = await bootSite({
      files: { ...files, "themes/one/templates/default.tsx": echo },
      env: { SITE_ENV: "production" },
    });
    assert.match(await (await site.fetch("/?a=1")).text(), /\[\?a=1\]/);
    assert.match(await (await site.fetch("/")).text(), /\[\]/);
    assert.match(await (await site.fetch("/?a=2")).text(), /\[\?a=2\]/);
  });

  it("caches no response that contains a nonce or depends on the query string", async () => {
    const html = "export default (props) => <html><head>NONCE</head></html>;\n";
    const isCached: Record<string, boolean> = {};
    const asking = definePlugin({
      name: "asking",
      version: "1.0.0",
      after: ["render"],
      setup: ({ http, use }) =>
        http.use("routes", async (req, _res, next) => {
          const render = use("render");
          const match = use("content").view().resolve("/");
          const template = req.ctx.path.slice(1);
          const options = { cache: { tags: new Set(["list"]) } };
          const answer =
            template === "page" && match.kind === "page"
              ? await render.renderPage(req, match)
              : await render.renderTemplate(req, template, {}, options);
          isCached[template + req.ctx.search] = answer?.cache?.tags !== undefined;
          next();
        }),
    });
    site = await bootSite({
      files: {
        ...files,
        "themes/one/templates/plain.tsx": html.replace("NONCE", ""),
        "themes/one/templates/nonced.tsx": html.replace("NONCE", "<i nonce={props.nonce()} />"),
      },
      extraPlugins: [asking],
      env: { SITE_ENV: "production" },
    });
    for (const path of ["/plain", "/nonced", "/page", "/plain?a=1", "/page?a=1"])
      await site.fetch(path);
    assert.deepEqual(isCached, {
      plain: true,
      nonced: false,
      page: true,
      "plaina=1": false,
      "pagea=1": false,
    });
  });

  it("does not reflect request headers in a page", async () => {
    site = await bootSite({
      files: { "content/01.home/default.md": "# Hi" },
      env: { SITE_ENV: "production" },
    });
    const headers = Object.fromEntries(
      [
        "x-forwarded-host",
        "x-forwarded-proto",
        "x-original-url",
        "x-host",
        "x-site-user",
        "forwarded",
        "x-http-method-override",
      ].map((name) => [name, "canary"]),
    );
    assert.doesNotMatch(await (await site.fetch("/", { headers })).text(), /canary/);
    assert.doesNotMatch(await (await site.fetch("/")).text(), /canary/);
  });

  it("switches the theme for all further requests and notifies listeners", async () => {
    const told: unknown[] = [];
    const listener = definePlugin({
      name: "listener",
      version: "1.0.0",
      hooks: { onThemeSwitch: ({ data }) => void told.push(data) },
    });
    site = await bootSite({ files, extraPlugins: [listener] });
    await site.site.use("render").switchTheme("two");
    assert.match(await (await site.fetch("/")).text(), /two loud/);
    await site.site.context("render").hooks.settled();
    assert.deepEqual(told, [{ from: "one", to: "two" }]);
  });

  it("drops cached pages when the theme is switched", async () => {
    site = await bootSite({ files, env: { SITE_ENV: "production" } });
    for (let n = 0; n < 2; n++) assert.match(await (await site.fetch("/")).text(), /one loud/);
    await site.site.use("render").switchTheme("two");
    await site.site.context("render").hooks.settled();
    assert.match(await (await site.fetch("/")).text(), /two loud/);
  });

  it("keeps the theme when the other one cannot be loaded", async () => {
    site = await bootSite({ files });
    await assert.rejects(site.site.use("render").switchTheme("three"), {
      code: "ERR_THEME_MISSING",
    });
    assert.equal(site.site.use("render").theme, "one");
  });

  it("searches the templates of plugins after those of the themes", async () => {
    site = await bootSite({
      files: {
        ...files,
        "extra/extra.tsx": template("plugin"),
        "extra/more.tsx": template("more"),
      },
    });
    await site.site.use("render").addTemplates(`${site.root}/extra`);
    assert.deepEqual(site.site.use("render").templates(), ["default", "extra", "more"]);
  });

  it("merges a section's theme settings with the page's, key by key", async () => {
    const show =
      "export default ({ themeConfig }) => <html><head></head><body>{JSON.stringify(themeConfig)}</body></html>;\n";
    site = await bootSite({
      files: {
        ...files,
        "themes/one/templates/default.tsx": show,
        "content/02.docs/default.md": "---\ntheme_config: { tone: soft, wide: true }\n---\n",
        "content/02.docs/01.page/default.md": "---\ntheme_config: { wide: false }\n---\n",
      },
    });
    const html = await (await site.fetch("/docs/page")).text();
    assert.match(html.replaceAll("&quot;", '"'), /\{"tone":"soft","wide":false\}/);
  });
});
