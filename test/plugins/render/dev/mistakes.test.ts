import assert from "node:assert/strict";
import type { Browser } from "playwright-core";
import { bootSite, type TestSite } from "../../../support/sites/boot-site.js";
import { useChromium } from "../../../support/services.js";
import type { SiteContext } from "#kernel";
import { until } from "../../../support/until.js";

const TEMPLATE = "themes/mine/templates/default.tsx";
const page = (body: string): string =>
  `export default ({ page, head }) => (\n  <html lang="en"><head dangerouslySetInnerHTML={{ __html: head }} /><body>\n    ${body}\n  </body></html>\n);\n`;
const files = {
  "site.yaml": "title: Test\ntheme: { name: mine, parent: default }\n",
  "content/01.home/default.md": "---\ntitle: Home\n---\n\n[lost](/lost) [part](#part)\n",
  [TEMPLATE]: page("<main>{page.title}</main>"),
};
const invalid = "---\ntitle: [<img src=x onerror=window.hurt=1>\n---\n\n# Bad\n";

interface Shown {
  severity: string;
  isUrgent: boolean;
  place?: string;
  cause: string;
  excerpt?: string;
}

describe("mistakes in dev mode", function () {
  this.timeout(120_000);
  let browser: Browser;
  let site: TestSite;
  before(async function () {
    browser = await useChromium(this);
  });
  afterEach(() => site.close());

  const mistakes = async (): Promise<Shown[]> => {
    const response = await site.fetch("/_site/problems");
    return ((await response.json()) as { mistakes: Shown[] }).mistakes;
  };

  it("are not shown in production", async () => {
    site = await bootSite({ files, env: { SITE_ENV: "production" } });
    assert.equal((await site.fetch("/_site/problems")).status, 404);
    assert.doesNotMatch(await (await site.fetch("/")).text(), /_site\/reload/);
  });

  it("list templates, front matter and links, with place and excerpt, until they are fixed", async () => {
    site = await bootSite({ files: { ...files, "content/02.bad/default.md": invalid } });
    const start = await mistakes();
    const links = start.filter(({ place }) => place?.startsWith("content/01.home/"));
    assert.deepEqual(
      links.map(({ place, isUrgent }) => [place, isUrgent]),
      [
        ["content/01.home/default.md:5", false],
        ["content/01.home/default.md:5", false],
      ],
    );
    const bad = start.find(({ place }) => place?.startsWith("content/02.bad/"));
    assert.equal(bad?.isUrgent, true);
    assert.match(bad?.excerpt ?? "", /^> *2 \| title: \[<img/m);

    await site.write(TEMPLATE, page("<main>{page.none.title}</main>"));
    await until(async () => (await site.fetch("/")).status === 500);
    assert.match(await (await site.fetch("/")).text(), /_site\/reload\.js/);
    // The watcher may report the change after the first response, which drops what was found before.
    let failed: Shown | undefined;
    await until(async () => {
      await site.fetch("/");
      failed = (await mistakes())[0];
      return failed?.place?.startsWith(`${TEMPLATE}:3`) === true;
    });
    assert.match(failed?.excerpt ?? "", /> 3 \|.*page\.none/);

    await site.write(TEMPLATE, page("<main>{page.title}</main>"));
    await until(async () => (await site.fetch("/")).status === 200);
    assert.equal(
      (await mistakes()).some(({ place }) => place?.startsWith(TEMPLATE)),
      false,
    );
  });

  it("list mistakes and missing pages of sidebar.yaml, and errors of routes, until they are fixed", async () => {
    const plugin = {
      name: "routes",
      version: "1.0.0",
      setup: ({ http }: SiteContext) =>
        http.use("routes", (req, _res, next) => {
          if (req.ctx.path === "/broken") throw new Error("no answer");
          next();
        }),
    };
    const sidebar = "- page: /\n- { page: /lost }\n- { titel: Wrong }\n";
    const docs = { "site.yaml": "title: Test\ntheme: { preset: docs }\n", "sidebar.yaml": sidebar };
    site = await bootSite({
      files: { ...files, ...docs },
      extraPlugins: [plugin],
      undeclared: true,
    });
    const ofSidebar = async (): Promise<unknown[]> =>
      (await mistakes())
        .filter(({ place }) => place?.startsWith("sidebar.yaml"))
        .map(({ place, isUrgent, cause }) => [place, isUrgent, cause]);
    assert.deepEqual(await ofSidebar(), [
      ["sidebar.yaml:3", true, 'titel: unknown key; did you mean "title"?'],
    ]);
    assert.doesNotMatch(await (await site.fetch("/none")).text(), /data-content-problem/);
    await site.write("sidebar.yaml", sidebar.replace("titel", "title"));
    await until(async () => (await mistakes()).every(({ cause }) => !cause.includes("titel")));
    assert.deepEqual(await ofSidebar(), [
      ["sidebar.yaml:2", false, 'the page "/lost" does not exist'],
    ]);
    await site.write("sidebar.yaml", "- page: /\n");
    await until(async () => (await ofSidebar()).length === 0);

    const html = { headers: { accept: "text/html" } };
    let failed: Shown | undefined;
    // As above: a late report of the change drops what was found before.
    await until(async () => {
      assert.equal((await site?.fetch("/broken", html))?.status, 500);
      failed = (await mistakes()).find(({ cause }) => cause === "no answer");
      return failed !== undefined;
    });
    assert.equal(failed?.isUrgent, true);
    assert.match(failed.place ?? "", /mistakes\.test\.ts:\d+/);
  });

  it("open over the page as text, can be closed, and disappear when fixed", async () => {
    const home = { "content/01.home/default.md": "---\ntitle: Home\n---\n\nText.\n" };
    site = await bootSite({ files: { ...files, ...home, "content/02.bad/default.md": invalid } });
    const tab = await (await browser.newContext()).newPage();
    await tab.goto(site.url);
    const overlay = tab.locator("site-dev-overlay");
    await overlay.getByText("<img src=x onerror=window.hurt=1>").first().waitFor();
    assert.equal(await tab.evaluate("window.hurt"), undefined);
    const list = overlay.getByRole("region", { name: "Mistakes" });
    await list.focus();
    await tab.keyboard.press("Escape");
    await list.waitFor({ state: "hidden" });
    await overlay.getByRole("button", { name: /^1 error, / }).click();
    await list.waitFor();
    await site.write("content/02.bad/default.md", "---\ntitle: Good\n---\n\n# Good\n");
    await overlay.waitFor({ state: "detached" });
    await tab.context().close();
  });
});
