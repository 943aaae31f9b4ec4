import assert from "node:assert/strict";
import { join } from "node:path";
import { killProcess } from "../support/processes/site-process.js";
import { filesOf } from "../support/repository.js";
import { until } from "../support/until.js";
import { asPlugin, codeOfFile, codeWith, shownFiles } from "./documentation.js";
import { runCompiler, runSite, serveSite, writeSite } from "./home.js";

type Server = Awaited<ReturnType<typeof serveSite>>;

const EXTEND = "content/06.extend";
const page = (name: string): string => `${EXTEND}/${name}/docs.md`;
const TYPES = codeOfFile(page("01.plugin"), "plugins/tsconfig.json");
const TYPES_WITH_JSX = codeOfFile(page("01.plugin"), "plugins/tsconfig.json, with .tsx files");
const MODULE = '{ "type": "module" }\n';
const text = async (server: Server, path: string, init?: RequestInit): Promise<string> =>
  (await fetch(`${server.url}${path}`, init)).text();
const json = async (server: Server, path: string, init?: RequestInit): Promise<unknown> =>
  JSON.parse(await text(server, path, init));

/** Resolves once the server has logged a line. */
const logged = (server: Server, pattern: RegExp): Promise<void> =>
  until(() => pattern.test(server.text()), 20);

describe("the code of the handbook in the installed package", function () {
  this.timeout(90_000);
  let root: string;
  let server: Server;
  before(async () => {
    root = await writeSite("handbook", handbookSite());
    server = await serveSite(root);
  });
  after(() => killProcess(server));

  it("counts words with the plugin of the tutorial, again after a save", async () => {
    const counted = async (): Promise<unknown> => Object(await json(server, "/api/words"))["/"];
    assert.equal(await counted(), 5);
    await writeSite("handbook", { "content/index.md": "Now there are six words here." });
    await until(async () => (await counted()) === 6, 20);
    await logged(server, /words\.page-changed/);
  });

  it("runs the test of the tutorial", async () => {
    const { code, text: output } = await runSite("plugins:test", "words", "--root", root);
    assert.equal(code, 0, output);
  });

  it("has the types that the tutorial configures", async () => {
    const { code, text: output } = await runCompiler(join(root, "plugins"));
    assert.equal(code, 0, output);
  });

  it("handles hooks in a declaration and in setup", async () => {
    assert.match(await text(server, "/loud"), /Stop!!!/);
    await logged(server, /\bseen\b/);
  });

  it("fires a hook of its own, which another plugin handles", async () => {
    assert.deepEqual(await json(server, "/api/orders/a1/paid", { method: "POST" }), { id: "a1" });
    await logged(server, /paid-log\.paid.*a1/);
  });

  it("validates the query of a declared route", async () => {
    assert.deepEqual(await json(server, "/api/greet/Ada?times=2"), {
      text: "Hello Ada! Hello Ada! ",
    });
    const invalid = await fetch(`${server.url}/api/greet/Ada?times=9`);
    assert.equal(invalid.status, 400);
    assert.match(await invalid.text(), /times/);
  });

  it("answers a route with a permission to a token that has it, and hides it in the public document", async () => {
    const token = async (permissions: string): Promise<string> => {
      const words = ["--permissions", permissions, "--name", permissions, "--expires", "1d"];
      const { text: secret } = await runSite("tokens:create", ...words, "--root", root);
      return /^site_\S+/m.exec(secret)?.[0] ?? "";
    };
    const ask = async (secret: string): Promise<Response> =>
      fetch(`${server.url}/api/drafts`, {
        headers: secret === "" ? {} : { authorization: `Bearer ${secret}` },
      });
    const allowed = await ask(await token("pages.publish"));
    assert.deepEqual([allowed.status, await allowed.json()], [200, ["secret.md"]]);
    assert.equal(allowed.headers.get("cache-control"), "private, no-store");
    assert.equal((await ask(await token("pages.update"))).status, 403);
    assert.equal((await ask("")).status, 401);
    assert.doesNotMatch(await text(server, "/_site/openapi.json"), /\/api\/drafts/);
  });

  it("caches a response until its pages change", async () => {
    assert.deepEqual(await json(server, "/api/posts"), ["One"]);
    await writeSite("handbook", { "content/blog/two.md": "---\ntitle: Two\n---\n" });
    await until(async () => (await text(server, "/api/posts")).includes("Two"), 20);
  });

  it("mounts the shop with Express middleware and its session", async () => {
    const cookie = "items=tea";
    assert.deepEqual(await json(server, "/shop/cart", { headers: { cookie } }), { items: "tea" });
    const first = await fetch(`${server.url}/shop/cart/tea`, { method: "POST" });
    assert.deepEqual(await first.json(), { items: ["tea"] });
    const sent = {
      cookie: first.headers
        .getSetCookie()
        .map((one) => one.split(";")[0])
        .join("; "),
    };
    assert.match(sent.cookie, /^site_session=/);
    const second = await json(server, "/shop/cart/milk", { method: "POST", headers: sent });
    assert.deepEqual(second, { items: ["tea", "milk"] });
  });

  it("leaves a router its own express-session, beside that of the site", async () => {
    const first = await fetch(`${server.url}/members/id`);
    const cookies = first.headers.getSetCookie();
    assert.match(cookies.join(), /^members\.sid=/);
    const { id } = Object(await first.json());
    const cookie = cookies[0]?.split(";")[0] ?? "";
    assert.deepEqual(await json(server, "/members/id", { headers: { cookie } }), { id });
    assert.doesNotMatch(server.text(), /own_middleware_ignored/);
  });

  it("provides and uses services", async () => {
    assert.deepEqual(await json(server, "/api/next"), { next: 1, search: true, hasContent: true });
  });

  it("adds markup to the head of every page", async () => {
    for (const path of ["/", "/blog/one", "/missing"]) {
      assert.match(await text(server, path), /<link rel="me" href="https:\/\/example.com\/@me">/);
    }
  });

  it("finds words inside words with the engine of the handbook", async () => {
    const found = await json(server, "/api/search?q=orch");
    assert.match(JSON.stringify(found), /Orchards|orchard/i);
    const { text: output } = await runSite("search", "orch", "--explain", "--root", root);
    assert.match(output, /contains/);
  });

  it("adds a key to site.yaml, and names the nearest one of a misspelt key", async () => {
    await logged(server, /tides\.ready/);
    const wrong = await writeSite("tides", {
      "site.yaml":
        "title: T\nplugins:\n  tides: { src: ./plugins/tides.ts }\ntides: { harbor: Kiel }\n",
      "plugins/tides.ts": codeWith(page("06.settings"), "tides.ready"),
      "content/index.md": "# T\n",
    });
    const { code, text: output } = await runSite("config:validate", "--root", wrong);
    assert.equal(code, 1, output);
    assert.match(output, /did you mean "harbour"/);
  });

  it("renders a format of a plugin, and MDX with components of a theme", async () => {
    assert.match(await text(server, "/plain"), /<pre>\s*Tea &amp; &lt;milk>\s*<\/pre>/);
    const rules = await text(server, "/rules");
    assert.match(rules, /<aside class="note">[\s\S]*<strong>starboard<\/strong>/);
    // The last words of a paragraph stay together (typography.orphan_protection).
    assert.match(rules, /2\srules\sin\sall/);
  });

  it("serves the module of a panel extension", async () => {
    assert.equal((await fetch(`${server.url}/admin`)).status < 400, true);
    const { text: output } = await runSite("plugins:explain", "panelExtensions", "--root", root);
    assert.match(output, /stars/);
  });
});

describe("the examples of the handbook in the installed package", function () {
  this.timeout(90_000);
  const pages = filesOf(`${EXTEND}/20.examples/*/docs.md`);
  let root: string;
  let server: Server;
  before(async () => {
    root = await writeSite("examples", examplesSite(pages));
    server = await serveSite(root);
  });
  after(() => killProcess(server));

  it("pass their own tests", async function () {
    this.timeout(240_000);
    const { code, text: output } = await runSite("plugins:test", "--root", root);
    assert.equal(code, 0, output);
    assert.match(output, /fail 0\b/);
  });

  it("have no type errors with the configuration of the tutorial for .tsx files", async () => {
    const { code, text: output } = await runCompiler(join(root, "plugins"));
    assert.equal(code, 0, output);
  });

  it("folds a text with the shortcode", async () => {
    assert.match(await text(server, "/prices"), /<details>\s*<summary>What it costs<\/summary>/);
  });

  it("validates the query of the weather", async () => {
    const response = await fetch(`${server.url}/api/weather/Kiel?unit=kelvin`);
    assert.equal(response.status, 400);
    assert.match(await response.text(), /unit/);
  });

  it("keeps editor notes for accounts only", async () => {
    assert.equal((await fetch(`${server.url}/admin/api/notes`)).status, 401);
  });

  it("draws the template, the setting and the string of the theme", async () => {
    const boat = await text(server, "/ann");
    assert.match(boat, /<p class="motto">Ahoy<\/p>/);
    assert.match(boat, /12 m/);
  });

  it("changes the total of an order with a hook of its own", async () => {
    const order = await fetch(`${server.url}/api/orders`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ id: "a", total: 100 }),
    });
    assert.deepEqual([order.status, await order.json()], [201, { id: "a", total: 90 }]);
    await logged(server, /loyalty\.order_paid/);
  });

  it("searches with MiniSearch", async () => {
    assert.match(await text(server, "/api/search?q=breeze"), /\/ann"/);
  });

  it("keeps a site with a failing engine up", async () => {
    const failing = await writeSite("failing", {
      "site.yaml":
        "title: T\nplugins:\n  failing-engine:\n    src: ./plugins/failing-engine/index.ts\n    config: { how: throw }\n",
      "content/index.md": "# T\n",
      ...inPlugins(shownFiles(page("20.examples/08.failing-engine"))),
    });
    const broken = await serveSite(failing);
    try {
      const response = await fetch(`${broken.url}/api/search?q=home`);
      assert.equal(response.status, 503);
      assert.notEqual(response.headers.get("retry-after"), null);
      assert.equal((await fetch(broken.url)).status, 200);
    } finally {
      await killProcess(broken);
    }
  });
});

/** The plugins and themes that the pages of /extend show, in one site. */
function handbookSite(): Record<string, string> {
  const routes = page("04.routes");
  const shop = codeWith(routes, "shop.use(compression());").replace(
    '    http.router("/shop", shop);',
    `${codeWith(routes, "shop.post(")}$&`,
  );
  const posts = `setup(site) {
    site.http.route({ method: "get", path: "/api/posts", summary: "Posts", handler: (req, res) => {
      ${codeWith(routes, 'view.children("/blog")')} } });
  }`;
  const services = page("03.services");
  const use = codeWith(services, "throws ERR_SERVICE_UNKNOWN if missing").replace(
    /\}\s*$/,
    `site.http.route({ method: "get", path: "/api/next", summary: "Next", handler: (req, res) =>
      site.http.json(req, res, { next: site.use("counter").next(), search: search !== undefined, hasContent: content !== undefined }) });
    }`,
  );
  const plugins: Record<string, string> = {
    "words.ts": codeOfFile(page("01.plugin"), "plugins/words.ts"),
    "words.test.ts": codeOfFile(page("01.plugin"), "plugins/words.test.ts"),
    "shout.ts": `import { definePlugin } from "sitewright";\nexport default ${codeWith(page("02.hooks"), 'name: "shout"')}`,
    "watcher.ts": asPlugin("watcher", codeWith(page("02.hooks"), 'log.info("seen", data)'), [
      "search",
    ]),
    "paid.ts": codeWith(page("02.hooks"), "hooks.notify(onOrderPaid").replace('"shop"', '"paid"'),
    "paid-log.ts": asPlugin(
      "paid-log",
      `import { onOrderPaid } from "./paid.js";
setup({ hooks, log }) {
  hooks.on(onOrderPaid, ({ data }) => log.info("paid-log.paid", { id: data.order.id }));
}`,
      ["paid"],
    ),
    "greet.ts": asPlugin("greet", codeWith(routes, "Greet a person")),
    "posts.ts": asPlugin("posts", posts, ["content"]),
    "drafts.ts": codeOfFile(routes, "plugins/drafts.ts"),
    "shop.ts": shop + codeWith(routes, "interface SessionData"),
    "members.ts": codeWith(routes, "ownSessionBelow"),
    "counter.ts": `${asPlugin("counter", codeWith(services, "next: () => ++count"))}
${codeWith(services, "counter: { next(): number }")}`,
    "user.ts": asPlugin("user", use, ["content", "counter"]),
    "head.ts": asPlugin("head", codeWith(services, 'rel="me"'), ["render"]),
    "contains.ts": codeWith(page("05.search-engine"), 'name: "contains"'),
    "tides.ts": codeWith(page("06.settings"), "tides.ready"),
    "plain-text.ts": codeWith(page("08.formats"), 'name: "plain-text"'),
    "stars/index.ts": codeOfFile(page("08.panel"), "index.ts"),
    "stars/panel.js": codeOfFile(page("08.panel"), "panel.js"),
  };
  const names = Object.keys(plugins).filter((file) => !/\.test\.ts$|panel\.js$/.test(file));
  const entries = names.map((file) => {
    const name = file.replace(/(\/index)?\.ts$/, "");
    const config = name === "words" ? "\n    config: { minimum: 5 }" : "";
    return `  ${name}:\n    src: ./plugins/${file}${config}\n`;
  });
  return {
    "site.yaml": `title: Handbook\ntheme: { name: mine }\nplugins:\n${entries.join("")}`,
    "system.yaml": codeWith(page("05.search-engine"), "engine: contains"),
    "plugins/package.json": MODULE,
    "plugins/tsconfig.json": TYPES,
    ...Object.fromEntries(names.map((file) => [`plugins/${file}`, plugins[file] ?? ""])),
    "plugins/words.test.ts": plugins["words.test.ts"] ?? "",
    "plugins/stars/panel.js": plugins["stars/panel.js"] ?? "",
    "themes/mine/theme.yaml": codeOfFile(page("07.themes"), "themes/mine/theme.yaml"),
    "themes/mine/mdx-components.tsx": codeOfFile(
      page("08.formats"),
      "themes/mine/mdx-components.tsx",
    ),
    "content/index.md": "One two three four five",
    "content/loud.md": "Stop! Now.",
    "content/blog/one.md": "---\ntitle: One\n---\nApples.\n",
    "content/garden.md": "# Garden\n\nOrchards.\n",
    "content/secret.md": "---\ntitle: Secret\npublished: false\n---\n",
    "content/plain.txt": "Tea & <milk>\n",
    "content/rules.mdx": codeWith(page("08.formats"), "Keep to **starboard**"),
  };
}

/** The examples in one site, but for those that replace accounts or break the search. */
function examplesSite(pages: readonly string[]): Record<string, string> {
  const shown = Object.assign({}, ...pages.map(shownFiles)) as Record<string, string>;
  const themed = Object.entries(shown)
    .filter(([file]) => file.startsWith("themed/themes/"))
    .map(([file, code]) => [file.replace("themed/", ""), code] as const);
  const folders = [...new Set(Object.keys(shown).map((file) => file.split("/")[0] ?? ""))];
  return {
    ...inPlugins(shown),
    "plugins/tsconfig.json": TYPES_WITH_JSX,
    ...Object.fromEntries(themed),
    ...Object.fromEntries(folders.map((folder) => [`plugins/${folder}/package.json`, MODULE])),
    "site.yaml": `title: Examples
theme:
  name: harbour
  custom: { motto: Ahoy }
plugins:
  minisearch: { src: ./plugins/minisearch/index.ts }
  session-cache: { src: ./plugins/session-cache/index.ts }
  shortcode: { src: ./plugins/shortcode/index.ts }
  weather:
    src: ./plugins/weather/index.ts
    config: { url: https://weather.example.org, minutes: 10 }
  notes: { src: ./plugins/notes/index.tsx }
  orders: { src: ./plugins/orders/index.ts }
  loyalty: { src: ./plugins/orders/loyalty.ts }
`,
    "system.yaml": "search:\n  engine: minisearch\n",
    "content/index.md": "# Home\n",
    "content/prices.md": "# Prices\n\n{{details What it costs}}\n\nTen.\n\n{{/details}}\n",
    "content/ann/boat.md": "---\ntitle: Ann\nlength: 12\n---\nA breeze.\n",
  };
}

function inPlugins(files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([file, code]) => [`plugins/${file}`, code]));
}
