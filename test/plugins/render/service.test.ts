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
  const switches: unknown[] = [];
  before(async () => {
    const document = (body: string): string =>
      `export default (props) => <html><head></head><body>${body}</body></html>;\n`;
    const plugin = definePlugin({
      name: "asking",
      version: "1.0.0",
      after: ["render"],
      hooks: { onThemeSwitch: ({ data }) => void switches.push(data) },
      setup: ({ http, use }) => {
        for (const name of ["extra", "search"])
          http.route({
            method: "get",
            path: `/ask/${name}`,
            summary: "renders a template",
            handler: async (req, res) => {
              const options = { title: "Asked", status: 201 };
              const answer = await use("render").renderTemplate(req, name, { told: "x" }, options);
              http.send(req, res, answer ?? { type: "text/plain", body: "none" });
            },
          });
      },
    });
    site = await bootSite({
      files: {
        ...files,
        "themes/one/templates/nonced.tsx": document("<script nonce={props.nonce()}>1</script>"),
        "themes/one/templates/echo.tsx": document("[{props.search}]"),
        "themes/one/templates/config.tsx": document("{JSON.stringify(props.themeConfig)}"),
        "content/nonced/nonced.md": "N",
        "content/echo/echo.md": "E",
        "content/docs/default.md": "---\ntheme_config: { tone: soft, wide: true }\n---\n",
        "content/docs/page/config.md": "---\ntheme_config: { wide: false }\n---\n",
        "extra/extra.tsx": template("plugin"),
        "extra/more.tsx": template("more"),
      },
      extraPlugins: [plugin],
      env: { SITE_ENV: "production" },
    });
  });
  after(() => site.close());
  const render = () => site.site.use("render");
  const read = async (path: string): Promise<string> => (await site.fetch(path)).text();

  it("returns the template names of the chain, sorted", () => {
    assert.equal(render().theme, "one");
    assert.deepEqual(
      render().themes.map(({ name }) => name),
      ["one", "two"],
    );
    assert.deepEqual(render().templates(), ["config", "default", "echo", "extra", "nonced"]);
    assert.equal(render().has("../default"), false);
  });

  it("renders any template of the chain in the nearest layout, and none that no theme has", async () => {
    const response = await site.fetch("/ask/extra");
    assert.equal(response.status, 201);
    assert.match(await response.text(), /<title>Asked \| Test<\/title>[\s\S]*extra loud/);
    assert.equal(await read("/ask/search"), "none");
  });

  it("uses a new nonce for each response", async () => {
    const nonces = new Set<string>();
    for (let n = 0; n < 3; n++) {
      const response = await site.fetch("/nonced");
      const nonce = /nonce="([^"]+)"/.exec(await response.text())?.[1] ?? assert.fail("no nonce");
      assert.ok(response.headers.get("content-security-policy")?.includes(`'nonce-${nonce}'`));
      nonces.add(nonce);
    }
    assert.equal(nonces.size, 3);
  });

  it("responds with the same page for any query string", async () => {
    assert.match(await read("/echo?a=1"), /\[\?a=1\]/);
    assert.match(await read("/echo"), /\[\]/);
    assert.match(await read("/echo?a=2"), /\[\?a=2\]/);
  });

  it("merges a section's theme settings with the page's, key by key", async () => {
    const html = await read("/docs/page");
    assert.match(html.replaceAll("&quot;", '"'), /\{"tone":"soft","wide":false\}/);
  });

  it("searches the templates of plugins after those of the themes", async () => {
    const before = render().templates();
    await render().addTemplates(`${site.root}/extra`);
    assert.deepEqual(render().templates(), [...before, "more"].toSorted());
  });

  it("keeps the theme when the other one cannot be loaded", async () => {
    await assert.rejects(render().switchTheme("three"), { code: "ERR_THEME_MISSING" });
    assert.equal(render().theme, "one");
  });

  it("switches the theme, also of cached pages, and notifies listeners", async () => {
    for (let n = 0; n < 2; n++) assert.match(await read("/"), /one loud/);
    await render().switchTheme("two");
    await site.site.context("render").hooks.settled();
    assert.match(await read("/"), /two loud/);
    assert.deepEqual(switches, [{ from: "one", to: "two" }]);
  });
});

describe("the service render of a site", () => {
  let site: TestSite;
  afterEach(() => site.close());

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
});
